/**
 * `npm start` in a checkout: prepares and builds it, and runs the service in this process, which gets the
 * signals of npm.
 */
// First, because it says at once that it builds.
import './build-if-stale.mjs';
import './link-libraries.mjs';

await import('../dist/src/main.js');
