import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/database/data-source-options.js';
import { ENTITIES } from './src/entities.js';

/** For TypeORM's own command line, which works on the built file. */
export default new DataSource({
  ...dataSourceOptions({ url: process.env.DATABASE_URL ?? 'postgres://localhost/wholesale', poolSize: 2 }),
  entities: ENTITIES,
});
