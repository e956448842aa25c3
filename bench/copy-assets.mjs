import { cpSync } from 'node:fs';

/** TypeScript leaves behind what it does not compile, and the service does not start without it. */
cpSync('src/pages/assets', 'dist-bench/src/pages/assets', { recursive: true });
cpSync('test/support/postgres-leash.js', 'dist-bench/test/support/postgres-leash.js');
