/** What ESLint looks at: syntax, names, sizes and the import law. What rests on types is in .oxlintrc.json. */
import { defineConfig } from 'eslint/config';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';
import { importLawConfigs } from './test/architecture/lint-import-law.js';

const sources = ['{protocol,workflows,activities,server,worker,store,encryption,mail,ledger,client}/**/*.ts'];
const writesToTheTerminal = [
  '**/{log,main,cli}.ts',
  'store/*-main.ts',
  '{demo,scripts,client/commands}/**',
  'test/{bench,chaos,fuzz,support,conformance,architecture}/**',
];
const readsTheEnvironment = ['**/config.ts', '{scripts,test,demo}/**'];

export default defineConfig(
  { ignores: ['node_modules/', 'dist/', 'coverage/', '.data/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unused-expressions': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment once, in config.ts; pass the value in.' },
      ],
      'no-console': 'error',
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      // `== null` is how a protobuf field that is absent is told, be it null or undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-implicit-coercion': 'error',
    },
  },
  { files: sources, rules: { 'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }] } },
  {
    files: ['**/*.{js,cjs}'],
    rules: {
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
    },
  },
  ...importLawConfigs,
  {
    files: ['workflows/**/*.ts', 'test/conformance/tools/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Workflow code is replayed: it may not depend on the process it runs in.' },
        { name: 'Buffer', message: 'The sandbox has no Node built-ins: use Uint8Array.' },
        { name: 'fetch', message: 'Workflow code is replayed: call the network from an activity.' },
      ],
    },
  },
  { files: readsTheEnvironment, rules: { 'no-restricted-properties': 'off' } },
  { files: writesToTheTerminal, rules: { 'no-console': 'off' } },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  {
    files: ['test/**/*.test.ts'],
    extends: [jest.configs['flat/recommended']],
    settings: { jest: { globalPackage: '@jest/globals', version: 30 } },
    rules: {
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect*', 'fc.assert', 'eventually', 'forEveryStep', 'bench.until'] },
      ],
      'jest/no-disabled-tests': 'error',
      'jest/no-focused-tests': 'error',
      'jest/no-conditional-expect': 'error',
      // What several tests expect is said once, in a function beside them.
      'jest/no-standalone-expect': 'off',
      'jest/prefer-strict-equal': 'off',
      // Tests read JSON whose shape is what they are about.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // A property speaks of some of the generated cases, and may say so with an `if`.
  { files: ['test/**/*.property.test.ts'], rules: { 'jest/no-conditional-expect': 'off' } },
);
