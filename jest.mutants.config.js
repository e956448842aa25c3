import base from './jest.config.js';

const {
  globalSetup: _setup,
  globalTeardown: _teardown,
  reporters: _reporters,
  verbose: _verbose,
  ...shared
} = base;

/** What Stryker runs: the suites of the rules, which need no database. */
export default {
  ...shared,
  roots: ['<rootDir>/src'],
  testMatch: [
    '**/{orders,payments,wallet,stock,catalog,store-requests}/**/*.spec.ts',
    '**/platform/money/*.spec.ts',
    '**/auth/{access,people,tokens}/*.spec.ts',
  ],
};
