/** The resources that the official suite reads. */
import type { ResourceSource } from '../../server/resource-source.ts';
import { RED_PIXEL_PNG } from './tools/test-image-content.ts';

const TEXT = { uri: 'test://static-text', mimeType: 'text/plain' };
const BINARY = { uri: 'test://static-binary', mimeType: 'image/png' };
const TEMPLATE = /^test:\/\/template\/(?<id>[^/]+)\/data$/;

export const resources: ResourceSource = {
  listed: [
    { ...TEXT, name: 'static-text' },
    { ...BINARY, name: 'static-binary' },
  ],
  templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  read(uri) {
    if (uri === TEXT.uri) return { ...TEXT, text: 'This is the content of the static text resource.' };
    if (uri === BINARY.uri) return { ...BINARY, blob: RED_PIXEL_PNG };
    const id = TEMPLATE.exec(uri)?.groups?.['id'];
    if (id === undefined) return undefined;
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: 'application/json', text };
  },
};
