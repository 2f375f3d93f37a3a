/** The import law on resolved paths, and no cycles. The table is test/architecture/import-law.cjs. */
const { law, ourFolders } = require('./test/architecture/import-law.cjs');

const prefixes = Object.keys(law);

function pathOf(prefix) {
  return prefix.endsWith('.ts') ? `^${prefix}$` : `^${prefix}/`;
}

/** Files that `prefix` rules: those of a longer prefix have a rule of their own. */
function from(prefix) {
  const longer = prefixes.filter((other) => other.startsWith(`${prefix}/`));
  return { path: pathOf(prefix), ...(longer.length > 0 ? { pathNot: longer.map(pathOf) } : {}) };
}

/** The ways in which a file can break its rule. */
function forbiddenFor([prefix, rule]) {
  const typeFolders = rule.typeFolders ?? [];
  const closed = ourFolders.filter((folder) => !rule.folders.includes(folder));
  const open = [...rule.folders.map((folder) => `^${folder}/`), ...(rule.files ?? []).map((file) => `^${file}\\.ts$`)];
  const packages = [
    ...rule.temporal.map((name) => `@temporalio/${name}/`),
    ...rule.mcp.map((name) => `@modelcontextprotocol/${name}/`),
    ...(rule.others === 'all' ? ['(?!@temporalio/|@modelcontextprotocol/)'] : rule.others),
  ];
  const base = { severity: 'error', comment: rule.why, from: from(prefix) };
  const valueFolders = closed.filter((folder) => !typeFolders.includes(folder)).map((folder) => `^${folder}/`);
  return [
    { ...base, name: `${prefix}: folders`, to: { path: valueFolders, pathNot: open } },
    ...typeFolders.map((folder) => ({
      ...base,
      name: `${prefix}: only types of ${folder}`,
      to: { path: `^${folder}/`, dependencyTypesNot: ['type-only'] },
    })),
    {
      ...base,
      name: `${prefix}: packages`,
      to: {
        path: 'node_modules/',
        pathNot: packages.map((name) => `node_modules/${name}`),
        ...(rule.typePackages === undefined ? {} : { dependencyTypesNot: ['type-only'] }),
      },
    },
    ...(rule.node ? [] : [{ ...base, name: `${prefix}: no Node built-ins`, to: { dependencyTypes: ['core'] } }]),
  ];
}

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'tests stay outside',
      comment: 'Nothing of the product may need the tests.',
      severity: 'error',
      from: { path: '^(?!test/|scripts/)' },
      to: { path: '^test/' },
    },
    ...Object.entries(law).flatMap(forbiddenFor),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
    skipAnalysisNotInRules: false,
  },
};
