import base from './jest.config.js';

const {
  globalSetup: _setup,
  globalTeardown: _teardown,
  runtime: _runtime,
  testEnvironment: _environment,
  setupFilesAfterEnv: _setupAfter,
  reporters: _reporters,
  verbose: _verbose,
  ...shared
} = base;

/** What Stryker runs: the suites of the rules, which need no database. It sees what they cover in Jest's own virtual machines alone. */
export default {
  ...shared,
  roots: ['<rootDir>/src'],
  testMatch: [
    '**/{orders,payments,wallet,stock,catalog,store-requests}/**/*.spec.ts',
    '**/platform/money/*.spec.ts',
    '**/auth/{access,people,tokens}/*.spec.ts',
  ],
};
