/**
 * `npm run check:code`: types and lint from one program, because most rules ask the type checker what it has worked out for
 * the types already. Both look again only at what has changed, by content. The same findings as `npm run typecheck` and
 * `npm run lint`, which run alone.
 */
import { ESLint } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { PROJECT_ROOT } from './settings.js';

const CACHE = `${PROJECT_ROOT}/node_modules/.cache`;

process.chdir(PROJECT_ROOT);
const fileHost = {
  getCurrentDirectory: () => PROJECT_ROOT,
  getCanonicalFileName: (file) => file,
  getNewLine: () => '\n',
};

function readSettings() {
  const onUnRecoverableConfigFileDiagnostic = (problem) => {
    throw new Error(ts.formatDiagnostic(problem, fileHost));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  const cache = { incremental: true, tsBuildInfoFile: `${CACHE}/check-code.tsbuildinfo` };
  return ts.getParsedCommandLineOfConfigFile('tsconfig.json', cache, host);
}

const { fileNames, options, errors } = readSettings();
const builder = ts.createIncrementalProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
const faults = [
  ...builder.getConfigFileParsingDiagnostics(),
  ...builder.getOptionsDiagnostics(),
  ...builder.getGlobalDiagnostics(),
  ...builder.getSyntacticDiagnostics(),
  ...builder.getSemanticDiagnostics(),
];
// Writes what is known now, and no code.
builder.emit();
if (faults.length > 0) console.log(ts.formatDiagnosticsWithColorAndContext(faults, fileHost));

const program = builder.getProgram();
/** The parser of typescript-eslint on the program that stands, under a name of its own for the cache. */
const parser = {
  meta: { name: 'typescript-eslint on one program', version: tseslint.parser.meta.version },
  parseForESLint: (code, settings) =>
    tseslint.parser.parseForESLint(code, { ...settings, projectService: false, programs: [program] }),
};
const eslint = new ESLint({
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parser } },
  cache: true,
  cacheStrategy: 'content',
  cacheLocation: `${CACHE}/check-code-eslint/`,
});
const results = await eslint.lintFiles('.');
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));

const hasLintFaults = results.some(({ errorCount }) => errorCount > 0);
if (faults.length > 0 || hasLintFaults) process.exitCode = 1;
