import { cpSync } from 'node:fs';

/** TypeScript does not copy these files, which the service and the bench need. */
cpSync('src/shared/ui/assets', 'dist-bench/src/shared/ui/assets', { recursive: true });
cpSync('src/api/guide/guide.md', 'dist-bench/src/api/guide/guide.md');
cpSync('test/support/postgres-leash.js', 'dist-bench/test/support/postgres-leash.js');
