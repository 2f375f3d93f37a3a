import { defineTool } from '../../../workflows/tool.ts';

/** One red pixel. */
export const RED_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const testImageContent = defineTool({
  name: 'test_image_content',
  title: 'Image content',
  description: 'Answers with one image.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => ({ content: [{ type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' }] }),
});
