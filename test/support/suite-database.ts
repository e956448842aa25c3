import { Fixtures } from './fixtures.js';
import { given } from './suite-hooks.js';
import { inTheEnd } from './suite-end.js';
import { ServiceProcess } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestPool } from './test-pool.js';

interface OwnDatabase extends TestDatabase {
  /** For direct SQL. A connection that breaks is replaced. */
  pool: TestPool;
  fixtures: Fixtures;
}

/** The database of a suite whose services are processes: at its end they are killed, and it is dropped. */
export function givenDatabase(create = createTestDatabase): OwnDatabase {
  return given(async () => {
    const database = await create();
    const pool = new TestPool({ connectionString: database.url });
    pool.on('error', () => undefined);
    inTheEnd(async () => {
      await ServiceProcess.killAll();
      await pool.end();
      await database.drop();
    });
    return { ...database, pool, fixtures: new Fixtures(pool, () => Promise.resolve()) };
  });
}
