import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from '../../../src/platform/database/database.js';
import { DedicatedConnections } from '../../../src/platform/database/dedicated-connection.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { eventually } from '../../support/eventually.js';
import { setUpTestApp } from '../../support/test-app.js';

/** More rows than are in memory at a time. */
const ROWS = 2_500;

describe('A connection that an administrator terminates', () => {
  const test = setUpTestApp();

  const terminate = async (pid: number) => {
    const { rows } = await test.pool.query('SELECT pg_terminate_backend($1) AS ended', [pid]);
    expect(rows).toEqual([{ ended: true }]);
  };

  const servicePool = () => (test.app.get(DataSource).driver as unknown as { master: Pool }).master;

  /** Resolves with the next connection that the pool of the service lends. */
  const lent = () => new Promise<PoolClient>((resolve) => servicePool().once('acquire', resolve));

  const isBroken = (client: PoolClient) =>
    (client as unknown as { connection: { stream: { destroyed: boolean } } }).connection.stream.destroyed;

  it('between two pages of a long list ends only that list', async () => {
    const rows = test.app
      .get(Database)
      .stream<{ n: number; pid: number }>(
        `SELECT n, pg_backend_pid() AS pid FROM generate_series(1, ${ROWS}) AS n`,
      );
    const borrowed = lent();
    const first = (await rows.next()).value as { pid: number };
    const client = await borrowed;
    await terminate(first.pid);
    await eventually(() => isBroken(client));
    const rest = async () => {
      let read = 1;
      for await (const _ of rows) read++;
      return read;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'unavailable' });
    expect(servicePool().idleCount).toBe(servicePool().totalCount);
    expect(await test.app.get(Database).query({ text: 'SELECT 1 AS one' }, [])).toEqual([{ one: 1 }]);
  });

  it('between two statements rolls the transaction back', async () => {
    const borrowed = lent();
    const lost = test.app.get(Database).transaction(async ({ query }) => {
      const [{ pid }] = (await query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' }, [])) as [
        { pid: number },
      ];
      await terminate(pid);
      const client = await borrowed;
      await eventually(() => isBroken(client));
      return query({ text: 'SELECT 1' }, []);
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is noticed by the next statement of a long job', async () => {
    const connection = await test.app.get(DedicatedConnections).open('file');
    const { client } = connection;
    await terminate((client as PoolClient & { processID: number }).processID);
    await eventually(() => isBroken(client));
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminated/);
    await connection.close();
  });

  it('during a migration ends the migration and releases its lock', async () => {
    const inTheWay = await test.pool.connect();
    await inTheWay.query('BEGIN; LOCK TABLE migrations');
    const migrating = migrate(test.database.url);
    const refused = expect(migrating).rejects.toThrow(/terminat/);
    const pid = await eventually(async () => {
      const { rows } = await test.pool.query<{ pid: number }>(
        `SELECT turn.pid FROM pg_locks turn JOIN pg_locks waiting USING (pid)
          WHERE turn.locktype = 'advisory' AND turn.objid = 7214001 AND turn.granted AND NOT waiting.granted`,
      );
      return rows[0]?.pid;
    });
    await terminate(pid!);
    await refused;
    await inTheWay.query('ROLLBACK');
    inTheWay.release();
    expect(await migrate(test.database.url)).toEqual([]);
  });
});
