import { cpSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** TypeScript does not copy what the service reads beside its sources: the folders that the build names. */
const { compilerOptions } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
for (const { include } of compilerOptions.assets)
  cpSync(`src/${dirname(include)}`, `dist-bench/src/${dirname(include)}`, {
    recursive: true,
    filter: (path) => !/\.tsx?$/.test(path),
  });
cpSync('test/support/postgres-leash.js', 'dist-bench/test/support/postgres-leash.js');
