import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes } from 'node:fs/promises';
import { hostname as nameOfHost, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { IMPORTS, setUpImports } from '../../support/desk-imports.js';
import { eventually } from '../../support/eventually.js';
import { expectPage, headline, hiddenFields, linkOf, readable } from '../../support/page-text.js';
import { runCommandOn } from '../../support/run-command.js';
import { startSession } from '../../support/sign-in.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { countWaitingFor, lockTable } from '../../support/while-locked.js';

describe('Runs of imports at the desk', () => {
  const test = setUpTestApp();
  const { staff, admin, send, settled, upload, apply } = setUpImports(test);

  it('works on one file of a kind at a time, also beside a command', async () => {
    const checked = (await upload({ content: 'sku,base_price\nMUG,239\n' })).path;
    const { path, id } = await upload({ content: 'sku,base_price\nCUP,102\n' });
    const runs = test.app.get(ImportRuns);
    const atOnce = { kind: 'catalog', name: 'b.csv', bytes: Readable.from([Buffer.from('sku\n')]) };
    const late = await runs.upload(atOnce, 'test');
    await test.pool.query(`UPDATE import_runs SET state = 'applying', beat_at = now() WHERE id = $1`, [id]);
    await expect(runs.check(late, test.app.get(CatalogFiles), {})).rejects.toThrow('Another file of catalog');
    const { rows: kept } = await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [late]);
    expect(kept).toEqual([]);
    const other = await apply(checked);
    expect([other.status, readable(other.html)]).toEqual([
      409,
      expect.stringContaining('Another file of catalog is being checked or applied'),
    ]);
    const second = await send(admin, { content: 'sku,base_price\nCUP,103\n' });
    expectPage(second, 409, 'Another file of catalog is being checked or applied');
    expect((await send(admin, { kind: 'stock', content: 'sku,variation,quantity\nCUP,,1\n' })).status).toBe(
      303,
    );
    await test.pool.query(`UPDATE import_runs SET state = 'checked' WHERE id = $1`, [id]);
    await settled();

    // A command holds the kind while it waits for the row.
    const client = await test.pool.connect();
    await client.query(`BEGIN; SELECT FROM products WHERE sku = 'CUP' FOR UPDATE`);
    const command = runCommandOn('sku,base_price\nCUP,104\n', test.database.url, 'catalog', 'import', '-');
    await eventually(async () => {
      const held = await test.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = (hashtext('products')::bigint & 4294967295)::oid`,
      );
      return held.length === 1;
    });
    const { html } = await apply(path);
    expect(readable(html)).toContain('Another import of products is running');
    expect(headline(html)).toBe('1 row would be written');
    await client.query('ROLLBACK');
    client.release();
    expect((await command).exitCode).toBe(0);
    // The next check tells nothing of this attempt.
    await staff.post(`${path}/check`).expect(303);
    await settled();
    expect(readable((await staff.get(path)).text)).not.toContain('Another import of products');
    expect((await runs.find(id)).appliedBy).toBeNull();
  });

  it('goes past a pooler, and keeps the pool for orders', async () => {
    const proxy = await TcpProxy.before(test.database.serviceUrl);
    const node = await startTestApp({ databaseDirectUrl: proxy.url }, test.database);
    try {
      const staged = proxy.count('CREATE TEMP TABLE');
      await upload({ content: 'sku,base_price\nCUP,106\n' }, await startSession(node, staff.person), node);
      expect(staged.times).toBeGreaterThan(0);
    } finally {
      await node.close();
      await proxy.close();
    }
  });

  it('goes on without the page, and stops with the node: the other node tells it and finishes it', async () => {
    const other = await startTestApp({}, test.database);
    try {
      const here = await startSession(other, staff.person);
      const lines = Array.from({ length: 4_500 }, (_, at) => `ROW-${at},Row,1,0`);
      const content = `sku,name,base_price,delivery_charge\nMUG,Mug,241,0\n${lines.join('\n')}\n`;
      const { path } = await upload({ content }, here, other);
      const client = await test.pool.connect();
      await client.query(`BEGIN; SELECT FROM products WHERE sku = 'MUG' FOR UPDATE`);
      expect((await here.post(`${path}/apply`, { checks: '1' })).status).toBe(303);
      await eventually(async () => (await staff.get(path)).text.includes('Applying file.csv'));
      await eventually(async () => {
        const waiting = await test.query(`SELECT FROM pg_locks WHERE NOT granted`);
        return waiting.length > 0;
      });
      const closed = other.close();
      await client.query('ROLLBACK');
      client.release();
      await closed;
      const html = (await staff.get(path)).text;
      expect(headline(html)).toBe('The import of file.csv was interrupted');
      const count = async () =>
        (
          await test.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM products WHERE sku LIKE 'ROW-%'`,
          )
        )[0]!.count;
      expect(await count()).toBe(1_999);
      expect((await staff.post(`${path}/check`)).status).toBe(303);
      await settled();
      expect(headline((await staff.get(path)).text)).toBe('2,501 rows would be written');
      await apply(path);
      expect(await count()).toBe(4_500);
    } finally {
      await other.close();
    }
  });

  it.each(['here', 'on another node'])(
    'ends a check that is cancelled %s, at the latest with its statement',
    async (where) => {
      const other = await startTestApp({ databaseTimeoutMs: 3_000 }, test.database);
      try {
        const here = await startSession(other, staff.person);
        const canceller = where === 'here' ? here : staff;
        const kind = 'corrections';
        const content = 'order_number,courier,tracking_number\nNONE,X,1\n';
        // The check waits for the parcels until the end of this test.
        const release = await lockTable(test.pool, 'parcels');
        const path = (await send(here, { kind, content }, other)).headers.location as string;
        const waiting = () => countWaitingFor(test.pool, 'parcels');
        await eventually(waiting);
        const { text } = await canceller.get(path);
        expect(headline(text)).toBe('Checking file.csv');
        const fields = { checks: hiddenFields(text).checks! };
        expect((await canceller.post(`${path}/cancel`, { checks: '0' })).status).toBe(409);
        expect((await canceller.post(`${path}/cancel`, fields)).status).toBe(303);
        expect((await canceller.post(`${path}/cancel`, fields)).status).toBe(303);
        await eventually(async () => !(await waiting()));
        await settled(other);
        const html = (await staff.get(path)).text;
        expect(headline(html)).toBe('The check of file.csv was cancelled');
        expect(linkOf(html, 'upload another file')).toBe(IMPORTS);
        expect((await staff.get(IMPORTS)).text).toContain('Cancelled');
        const next = (await send(staff, { kind, content })).headers.location as string;
        await release();
        await settled();
        expect(headline((await staff.get(next)).text)).toContain('1 row refused');
        expect((await staff.post(`${next}/cancel`, { checks: '1' })).status).toBe(409);
        expect((await staff.post(`${path}/check`)).status).toBe(303);
        await settled();
        expect(headline((await staff.get(path)).text)).toContain('1 row refused');
      } finally {
        await other.close();
      }
    },
  );

  it('takes no word of a worker that was silent, once another works on the file', async () => {
    const { path, id } = await upload({ content: 'sku,base_price\nMUG,242\n' });
    const client = await test.pool.connect();
    await client.query(`BEGIN; SELECT FROM products WHERE sku = 'MUG' FOR UPDATE`);
    await staff.post(`${path}/apply`, { checks: '1' });
    const set = (values: string) => test.pool.query(`UPDATE import_runs SET ${values} WHERE id = $1`, [id]);
    await set(`state = 'checking', checks = 2`);
    const ofTheOther = 'row,reason\n';
    await test.pool.query(`INSERT INTO import_pieces VALUES ($1, 'refused', 0, $2)`, [
      id,
      deflateRawSync(ofTheOther),
    ]);
    await client.query('ROLLBACK');
    client.release();
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('Checking file.csv');
    expect((await staff.get(`${path}/refused.csv`)).text).toBe(ofTheOther);
    await set(`state = 'interrupted'`);
  });

  it('removes the copies of files that a killed process left, and no others', async () => {
    const folder = (name: string) => join(tmpdir(), `import-${name}`);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const left = [folder(`${nameOfHost()}-${ended}-left`), folder(`${nameOfHost()}-${process.pid}-left`)];
    const kept = [folder(`${nameOfHost()}-${process.ppid}-kept`), folder(`elsewhere.example-${ended}-kept`)];
    for (const each of [...left, ...kept]) await mkdir(each);
    await utimes(left[1]!, 0, 0);
    await test.app.get(ImportRuns).run();
    expect([...left, ...kept].filter((each) => existsSync(each))).toEqual(kept);
    for (const each of kept) await rm(each, { recursive: true });
  });

  it('lets no other check begin while a worker replaces a file of its own', async () => {
    const { path, id } = await upload({ content: 'sku,base_price\nMUG,x\n' });
    const [held, other] = [await test.pool.connect(), await test.pool.connect()];
    try {
      await held.query(
        `BEGIN; SELECT FROM import_pieces WHERE run_id = ${id} AND file = 'refused' FOR UPDATE`,
      );
      await staff.post(`${path}/check`);
      await eventually(async () => {
        const { rowCount } = await test.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount! > 0;
      });
      const next = other.query(`
        BEGIN; SET LOCAL lock_timeout = '200ms'; UPDATE import_runs SET checks = checks + 1 WHERE id = ${id}`);
      await expect(next).rejects.toThrow('lock timeout');
    } finally {
      for (const client of [other, held]) {
        await client.query('ROLLBACK');
        client.release();
      }
      await settled();
    }
  });

  it('calls a run interrupted whose node is silent, and deletes old files', async () => {
    const { path, id } = await upload({ content: 'sku,base_price\nCUP,105\n' });
    await test.pool.query(
      `UPDATE import_runs SET state = 'checking', beat_at = now() - interval '1 minute',
              created_at = now() - interval '8 days' WHERE id = $1`,
      [id],
    );
    expect(headline((await staff.get(path)).text)).toBe('The import of file.csv was interrupted');
    const { id: other } = await upload({ kind: 'stock', content: 'sku,variation,quantity\nCUP,,9\n' });
    const pieceCount = async () =>
      (await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [other])).rowCount;
    await test.pool.query(
      `UPDATE import_runs SET state = 'applying', beat_at = now() + interval '1 hour',
              created_at = now() - interval '8 days' WHERE id = $1`,
      [other],
    );
    await test.app.get(ImportRuns).run();
    // An old file that is being applied stays until it has ended.
    expect(await pieceCount()).toBeGreaterThan(0);
    await test.pool.query(`UPDATE import_runs SET state = 'applied' WHERE id = $1`, [other]);
    await test.app.get(ImportRuns).run();
    expect(await pieceCount()).toBe(0);
    const { rows: pieces } = await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [id]);
    expect(pieces).toEqual([]);
    const { text } = await staff.get(path);
    expect(readable(text)).toContain('The file was deleted');
    expect((await staff.post(`${path}/check`)).status).toBe(409);
    expect((await staff.get(`${path}/refused.csv`)).status).toBe(404);
  });

  it.each(['a new file', 'its own file', 'another file'])(
    'does not hold up %s with a silent run that no page has shown since',
    async (what) => {
      const [first, second] = [await upload({ content: 'sku\n' }), await upload({ content: 'sku\n' })];
      await test.pool.query(
        `UPDATE import_runs SET state = 'checking', beat_at = now() - interval '1 minute' WHERE id = $1`,
        [first.id],
      );
      const { path } = what === 'its own file' ? first : second;
      const requested =
        what === 'a new file' ? send(staff, { content: 'sku\n' }) : staff.post(`${path}/check`);
      expect((await requested).status).toBe(303);
      await settled();
    },
  );
});
