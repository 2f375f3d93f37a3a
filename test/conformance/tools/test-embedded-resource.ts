import { defineTool } from '../../../workflows/tool.ts';

export const testEmbeddedResource = defineTool({
  name: 'test_embedded_resource',
  title: 'Embedded resource',
  description: 'Answers with a resource by value.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
});
