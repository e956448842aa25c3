import base from './jest.config.js';

/** What people do, in a real Chromium. */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.browser.ts'],
  maxWorkers: 2,
};
