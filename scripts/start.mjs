/** `npm start` in a checkout: everything that a fresh one lacks, then the service in this process, which gets npm's signals. */
import './link-libraries.mjs';
import './build-if-stale.mjs';

await import('../dist/src/main.js');
