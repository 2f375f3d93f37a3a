/** `npm run demo:seed`: gives the ERP the orders that the demo's invoices are for. */
import { readConfig } from '../config.ts';
import { readOrExit } from '../read-or-exit.ts';
import { seedErp } from './seed.ts';

const { erpUrl } = readOrExit(readConfig);
try {
  const { orders, invoices } = await seedErp(erpUrl);
  console.log(`The ERP has ${String(orders)} orders of the demo, and ${String(invoices)} earlier invoices.`);
} catch (error) {
  console.error(`The ERP could not be seeded at ${erpUrl}: ${String(error)}`);
  process.exit(1);
}
