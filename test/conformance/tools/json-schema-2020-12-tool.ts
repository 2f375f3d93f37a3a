import { defineTool, toolResult } from '../../../workflows/tool.ts';

/** Conditions between members, which JSON Schema can say and a flat list of members cannot. */
const CONDITIONS = {
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
};

export const jsonSchema202012Tool = defineTool({
  name: 'json_schema_2020_12_tool',
  title: 'JSON Schema 2020-12',
  description: 'Tool with JSON Schema 2020-12 features',
  input: (z) =>
    z
      .object({
        name: z.string().optional(),
        address: z
          .object({ street: z.string().optional(), city: z.string().optional() })
          .meta({ id: 'address', $anchor: 'addressDef' })
          .optional(),
        contactMethod: z.enum(['phone', 'email']).optional(),
        phone: z.string().optional(),
        email: z.string().optional(),
      })
      .meta(CONDITIONS),
  task: 'never',
  run: async () => toolResult('ok'),
});
