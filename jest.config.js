import { availableParallelism } from 'node:os';

/** Fast projects first; those that need Temporal share one dev server, started by the global set-up. */
const base = {
  testEnvironment: '<rootDir>/test/support/failure-aware-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};

/**
 * @param {string} name
 * @param {string[]} folders under test/
 */
function project(name, folders, options = {}) {
  return {
    ...base,
    displayName: name,
    testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    ...options,
  };
}

const onTemporal = {
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

export default {
  // One more than there are processors, for a fifth of the time is waiting; with more, what is under test is waited for in vain.
  maxWorkers: Math.min(availableParallelism() + 1, 4),
  testTimeout: 30_000,
  passWithNoTests: true,
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  collectCoverageFrom: ['protocol/*.ts'],
  coverageReporters: ['text-summary'],
  coverageThreshold: { './protocol/': { branches: 100, functions: 100, lines: 100, statements: 100 } },
  projects: [
    project('unit', ['unit', 'pins']),
    project('property', ['property']),
    // About the tree as a whole; what `npm run check` needs of it, lint and `check:imports` say there.
    project('architecture', ['architecture']),
    project('replay', ['replay']),
    project('integration', ['integration'], onTemporal),
    project('conformance', ['conformance'], onTemporal),
    project('e2e', ['e2e'], onTemporal),
  ],
};
