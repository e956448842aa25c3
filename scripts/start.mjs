/**
 * `npm start` in a checkout: prepares and builds it, and runs the service in this process, which gets the
 * signals of npm.
 */
import './link-libraries.mjs';
import './build-if-stale.mjs';

await import('../dist/src/main.js');
