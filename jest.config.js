import { availableParallelism } from 'node:os';

/** Jest's own way, a virtual machine for each suite, is slow; but what it counts and what it watches, it sees there alone. */
const inVirtualMachines = process.argv.some((option) => /^--(coverage|collectCoverage|watch)/.test(option));

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.{ts,tsx}', '**/*.e2e.ts'],
  ...(inVirtualMachines
    ? { testEnvironment: 'node' }
    : {
        runtime: '<rootDir>/test/support/runtime/runtime.cjs',
        testEnvironment: '<rootDir>/test/support/runtime/environment.cjs',
      }),
  setupFilesAfterEnv: [
    '<rootDir>/test/support/runtime/end-everything.ts',
    '<rootDir>/test/support/runtime/samples.ts',
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.tsx?$': ['@swc/jest'] },
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  reporters: ['default', '<rootDir>/test/support/type-check.js'],
  // Suites wait for processes, mail and gateways: while they do, one more can compute.
  maxWorkers: Math.max(3, availableParallelism()),
  testSequencer: '<rootDir>/test/support/slow-first.js',
  // A machine that is busy with other things is no fault: this ends a test that hangs, in every suite.
  testTimeout: 300_000,
  // A process that has loaded much ends late on such a machine. One that leaks still fails to end.
  workerGracefulExitTimeout: 10_000,
  // The titles are sentences: together they say what the service does.
  verbose: true,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.{ts,tsx}', '!src/**/*.spec.{ts,tsx}'],
  coverageReporters: ['text-summary', 'html'],
};
