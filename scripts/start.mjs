/**
 * `npm start`: prepares and builds a checkout, and runs the service in this process, which gets the signals of
 * npm. A release is built already.
 */
import { existsSync } from 'node:fs';

if (existsSync(new URL('../src', import.meta.url))) {
  // First, because it says at once that it builds.
  await import('./build-if-stale.mjs');
  await import('./link-libraries.mjs');
}
await import('../dist/src/main.js');
