import { availableParallelism } from 'node:os';

// Jest's workers inherit these: the first, because the sources are ES modules; the last, because threads and processes of suites run
// TypeScript too. So `npx jest some/path` and an editor need no setting; `npm test` gives the first to --runInBand as well.
process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS,
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `--import=${JSON.stringify(new URL('test/support/typescript-loader.js', import.meta.url).href)}`,
].join(' ');

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.{ts,tsx}', '**/*.e2e.ts'],
  testEnvironment: '<rootDir>/test/support/environment.js',
  setupFilesAfterEnv: ['<rootDir>/test/support/each-suite.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.tsx?$': ['@swc/jest'] },
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  reporters: ['default', '<rootDir>/test/support/type-check.js'],
  // Suites wait for processes, mail and gateways: while they do, one more can compute.
  maxWorkers: Math.max(3, availableParallelism()),
  // Each suite loads the application into a virtual machine of its own, which Node does not free at once.
  workerIdleMemoryLimit: '1.5GB',
  // A machine that is busy with other things is no fault: this ends a test that hangs, in every suite.
  testTimeout: 300_000,
  // The titles are sentences: together they say what the service does.
  verbose: true,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.{ts,tsx}', '!src/**/*.spec.{ts,tsx}'],
  coverageReporters: ['text-summary', 'html'],
};
