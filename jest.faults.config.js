import base from './jest.config.js';

/** The suites that take longer: real processes of the built service, killed, stopped, cut off and flooded. One at a time. */
export default {
  ...base,
  roots: ['<rootDir>/test/faults'],
  testMatch: ['**/*.fault.ts'],
  maxWorkers: 1,
  // Twenty kills and starts in one test take minutes on a busy machine.
  testTimeout: 900_000,
};
