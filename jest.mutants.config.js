import base from './jest.config.js';

const {
  globalSetup: _setup,
  globalTeardown: _teardown,
  runtime: _runtime,
  testEnvironment: _environment,
  setupFilesAfterEnv: _setupAfter,
  reporters: _reporters,
  testSequencer: _sequencer,
  verbose: _verbose,
  ...shared
} = base;

/**
 * What Stryker runs: the specs that import the file it changes, in a folder that it names itself. It sees what they cover in Jest's own
 * virtual machines alone.
 */
export default {
  ...shared,
  setupFilesAfterEnv: ['<rootDir>/test/support/runtime/samples.ts'],
  roots: [],
  dependencyExtractor: '<rootDir>/test/mutants/own-suites.js',
};
