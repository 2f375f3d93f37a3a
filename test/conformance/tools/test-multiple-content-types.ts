import { defineTool } from '../../../workflows/tool.ts';
import { RED_PIXEL_PNG } from './test-image-content.ts';

export const testMultipleContentTypes = defineTool({
  name: 'test_multiple_content_types',
  title: 'Multiple content types',
  description: 'Answers with text, an image and a resource.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
});
