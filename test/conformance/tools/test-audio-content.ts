import { defineTool } from '../../../workflows/tool.ts';

/** No sound at all. */
const SILENT_WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export const testAudioContent = defineTool({
  name: 'test_audio_content',
  title: 'Audio content',
  description: 'Answers with one sound.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => ({ content: [{ type: 'audio', data: SILENT_WAV, mimeType: 'audio/wav' }] }),
});
