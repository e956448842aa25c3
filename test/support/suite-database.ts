import { Fixtures } from './fixtures.js';
import { makeBeforeAll } from './suite-hooks.js';
import { atSuiteEnd } from './suite-end.js';
import { ServiceProcess } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestPool } from './test-pool.js';

interface SuiteDatabase extends TestDatabase {
  /** For direct SQL. A connection that breaks is replaced. */
  pool: TestPool;
  fixtures: Fixtures;
}

/** The database of a suite whose services are processes: at its end they are killed, and it is dropped. */
export function setUpDatabase(create = createTestDatabase): SuiteDatabase {
  return makeBeforeAll(async () => {
    const database = await create();
    const pool = new TestPool({ connectionString: database.url });
    pool.on('error', () => undefined);
    atSuiteEnd(async () => {
      await ServiceProcess.killAll();
      await pool.end();
      await database.drop();
    });
    return { ...database, pool, fixtures: new Fixtures(pool, () => Promise.resolve()) };
  });
}
