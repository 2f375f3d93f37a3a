import { describe, expect, it } from '@jest/globals';
import { catalog as fixtures } from '../conformance/tools/index.ts';
import { catalog as product } from '../../workflows/tools/index.ts';
import { files, read } from './tree.ts';

const catalogs = [
  ['workflows/tools/', product],
  ['test/conformance/tools/', fixtures],
] as const;

describe.each(catalogs)('%s', (folder, catalog) => {
  const toolFiles = files.filter((file) => file.startsWith(folder) && !file.endsWith('/index.ts'));

  it.each(toolFiles)('%s defines one tool, the one it is named after, and is in the catalog', (file) => {
    const [, name = ''] = /([^/]+)\.ts$/.exec(file) ?? [];
    expect(read(file).match(/\bdefineTool\(/g)).toHaveLength(1);
    expect([...catalog.keys()]).toContain(name.replaceAll('-', '_'));
  });

  it('holds a file for every tool in the catalog', () => {
    expect(toolFiles).toHaveLength(catalog.size);
  });
});

describe('the product', () => {
  it('serves no fixture', () => {
    const shared = [...product.values()].filter((tool) => [...fixtures.values()].includes(tool));
    expect(shared).toEqual([]);
  });
});
