/** Whether a result is what its tool says that it gives. Spec: tools, Output Schema. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { createToolContracts } from '../../server/tool-contract.ts';
import { catalog } from '../../workflows/tools/index.ts';

const contracts = createToolContracts(catalog);
const draft = new AjvJsonSchemaValidator();

/** @returns what does not fit the `outputSchema` that is listed, `undefined` when all does; @throws when none is listed */
export function outputFault(tool: string, structured: unknown): string | undefined {
  const schema = contracts.get(tool)?.listed.outputSchema;
  if (schema === undefined) throw new Error(`${tool} lists no outputSchema.`);
  const { valid, errorMessage } = draft.getValidator(schema)(structured);
  return valid ? undefined : errorMessage;
}
