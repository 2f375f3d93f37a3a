/**
 * C43: arguments as a string of JSON, and other wrong shapes, for the tool that spends money. The caller is told which
 * member must be what; nothing is parsed on the quiet, and there is no task.
 *
 * The same on tiny tools, with more kinds of members: test/unit/server/tool-calls.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { trackCreated } from '../../support/created-tasks.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { nothingForStrangers } from './support/strangers.ts';

let product: Product;
let origin = '';
let created: () => Promise<readonly string[]>;

beforeAll(async () => {
  product = await openProduct();
  origin = (await product.startFront()).url;
  const { client } = await openTemporal();
  created = trackCreated(client, String(product.env['TASK_QUEUE']), () =>
    createTaskClient(origin).create('slow_compute', { seconds: 0 }),
  );
}, 60_000);

const call = (args: unknown): Promise<McpAnswer> =>
  post(`${origin}/mcp`, { method: 'tools/call', params: { name: 'purchase_order', arguments: args } });
const aLine = (overrides: object): object => ({ description: 'Chair', quantity: '5', unitPrice: '9.90', ...overrides });

describe('arguments that are no object', () => {
  it.each([JSON.stringify(aCall()), null, [], [aCall()], 42, true])('are -32602: %j', async (args) => {
    const { status, body } = await call(args);
    expect([status, body.error]).toEqual([200, { code: -32602, message: 'params.arguments must be an object.' }]);
    expect(await created()).toEqual([]);
  });
});

describe('a wrong member', () => {
  it.each([
    ['text for a list', aCall({ lines: JSON.stringify([aLine({})]) }), /^lines must be an array$/m],
    ['a number for a decimal', aCall({ lines: [aLine({ quantity: 5 })] }), /^lines\[0\]\.quantity must be a string$/m],
    [
      'text that is no decimal',
      aCall({ lines: [aLine({ unitPrice: '9,90' })] }),
      /^lines\[0\]\.unitPrice: must be a decimal/m,
    ],
    ['a list for text', aCall({ vendor: ['V1'] }), /^vendor must be a string$/m],
    ['an unknown member', aCall({ approved_by: 'somebody' }), /^approved_by is not a known argument$/m],
    [
      'an unknown member of a line',
      aCall({ lines: [aLine({ discount: '1' })] }),
      /^lines\[0\]\.discount is not a known/m,
    ],
    [
      'a missing member',
      aCall({ lines: [{ description: 'Chair', quantity: '5' }] }),
      /^lines\[0\]\.unitPrice is missing/m,
    ],
    ['nothing at all', undefined, /^vendor: is missing/m],
    ['null for a member', aCall({ costCentre: null }), /^costCentre must be a string$/m],
  ])('is a tool error that names member and type: %s', async (_what, args, fault) => {
    const { body } = await call(args);
    expect(body.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(body.result.content[0].text).toMatch(fault);
    expect(await created()).toEqual([]);
  });
});

nothingForStrangers(() => product);
