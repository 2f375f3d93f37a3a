/** The import law as ESLint configurations: one `no-restricted-imports` for each importer. */
import importLaw from './import-law.cjs';

const { law, ourFolders } = importLaw;

/** @param {string[]} alternatives */
function oneOf(alternatives) {
  return alternatives.length > 0 ? `(?:${alternatives.join('|')})` : '(?!)';
}

function foldersPattern(rule) {
  const typeFolders = rule.typeFolders ?? [];
  const closed = ourFolders.filter((folder) => !rule.folders.includes(folder) && !typeFolders.includes(folder));
  const open = [...(rule.files ?? []).map((file) => `${file}\\.ts$`), ...rule.folders.map((folder) => `${folder}/`)];
  return { regex: `^(?:\\.\\./)+(?!${oneOf(open)})${oneOf(closed)}/`, message: rule.why };
}

function packagesPattern(rule) {
  const open = [
    '\\.',
    ...rule.temporal.map((name) => `@temporalio/${name}(?:/|$)`),
    ...rule.mcp.map((name) => `@modelcontextprotocol/${name}(?:/|$)`),
    ...(rule.node ? ['node:'] : []),
    ...(rule.others === 'all' ? ['(?!@temporalio/|@modelcontextprotocol/|node:)'] : rule.others),
    ...(rule.typePackages ?? []).map((name) => `${name}(?:/|$)`),
  ];
  return { regex: `^(?!${open.join('|')})`, message: rule.why };
}

function patternsOf(rule) {
  const typeOnly = [
    ...(rule.typeFolders ?? []).map((folder) => `^(?:\\.\\./)+${folder}/`),
    ...(rule.typePackages ?? []).map((name) => `^${name}(?:/|$)`),
  ];
  return [
    foldersPattern(rule),
    packagesPattern(rule),
    ...typeOnly.map((regex) => ({ regex, allowTypeImports: true, message: `Types only. ${rule.why}` })),
  ];
}

function filesOf(prefix) {
  return [prefix.endsWith('.ts') ? prefix : `${prefix}/**/*.ts`];
}

export const importLawConfigs = Object.entries(law).map(([prefix, rule]) => ({
  name: `import law of ${prefix}`,
  files: filesOf(prefix),
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: patternsOf(rule) }] },
}));
