import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { dataSourceOptions, readMigrations } from './src/platform/database/data-source-options.js';

// As for the service and its commands.
if (existsSync('.env')) process.loadEnvFile();

/** For TypeORM's own command line, which works on the built files. */
export default new DataSource({
  ...dataSourceOptions({ url: process.env.DATABASE_URL ?? 'postgres://localhost/wholesale', poolSize: 2 }),
  migrations: await readMigrations(),
  entities: [fileURLToPath(new URL('./src/**/*.entity.js', import.meta.url))],
});
