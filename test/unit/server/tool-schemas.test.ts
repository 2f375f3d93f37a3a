import { describe, expect, it } from '@jest/globals';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { listedFallbackTools } from '../../../server/fallback-tools.ts';
import { createToolContracts } from '../../../server/tool-contract.ts';
import { catalog } from '../../../workflows/tools/index.ts';
import { catalog as fixtures } from '../../conformance/tools/index.ts';
import { verifies } from '../../support/verifies.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
/** It reads a schema by that draft, and refuses one that is none. */
const draft = new AjvJsonSchemaValidator();

const tools = [
  ...createToolContracts(catalog).values(),
  ...createToolContracts(fixtures).values(),
  ...listedFallbackTools.map((listed) => ({ listed })),
].map(({ listed }) => [listed.name, listed] as const);

describe('the schemas of a listed tool', () => {
  it.each(tools)('are JSON Schema 2020-12, of an object: %s', (_name, { inputSchema, outputSchema }) => {
    verifies('tools.schema');
    for (const schema of [inputSchema, outputSchema].filter((given) => given !== undefined)) {
      expect(schema).toMatchObject({ $schema: DRAFT, type: 'object' });
      expect(() => draft.getValidator(schema)).not.toThrow();
    }
  });

  it.each(tools)('refer to nothing outside of themselves, so that nobody fetches anything: %s', (_name, listed) => {
    verifies('tools.schema');
    const said = JSON.stringify([listed.inputSchema, listed.outputSchema]);
    const references = [...said.matchAll(/"\$(?:dynamicRef|ref|id)":"([^"]*)"/g)].map(([, to = '']) => to);
    // The one fixture with an id names itself by it.
    expect(references.filter((to) => !to.startsWith('#'))).toEqual([]);
  });

  it('say what a plain client may hold arguments and results against', () => {
    const schemas = new Map(tools);
    const isOrder = draft.getValidator(schemas.get('purchase_order')!.inputSchema);
    expect([isOrder({}).valid, isOrder({ vendor: 7 }).valid]).toEqual([true, false]);
    const isPlaced = draft.getValidator(schemas.get('purchase_order')!.outputSchema!);
    expect([isPlaced({}).valid, isPlaced([]).valid]).toEqual([false, false]);
  });
});
