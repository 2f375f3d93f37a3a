/** `npm run docs:graph`: draws which folder imports which into docs/dependencies.md. `--print` writes to stdout instead. */
import { writeFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import importLaw from '../test/architecture/import-law.cjs';
import { PROJECT_ROOT } from './settings.js';

/** Those of the product and its demo. */
const FOLDERS = importLaw.ourFolders.filter((folder) => !['test', 'scripts'].includes(folder));

process.chdir(PROJECT_ROOT);
const { output } = await cruise(
  [`{${FOLDERS.join(',')}}/**/*.ts`],
  { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
  { extensions: ['.ts', '.js'] },
);

/** `values` when anything but a type crosses. */
const edges = new Map();
for (const { source, dependencies } of output.modules) {
  for (const { resolved, dependencyTypes } of dependencies) {
    const [from, to] = [source, resolved].map((path) => path.split('/')[0]);
    if (from === to || !FOLDERS.includes(from) || !FOLDERS.includes(to)) continue;
    const edge = `${from} ${to}`;
    edges.set(edge, edges.get(edge) === 'values' || !dependencyTypes.includes('type-only') ? 'values' : 'types');
  }
}

const lines = [...edges]
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([edge, kind]) => {
    const [from, to] = edge.split(' ');
    return `  ${from} ${kind === 'values' ? '-->' : '-.->'} ${to}`;
  });
const document = `# Dependencies

Drawn by \`npm run docs:graph\` from the imports. A dotted arrow stands for types only.

\`\`\`mermaid
flowchart LR
${lines.join('\n')}
\`\`\`
`;

if (process.argv.includes('--print')) process.stdout.write(document);
else writeFileSync('docs/dependencies.md', document);
