import { rm } from 'node:fs/promises';
import path from 'node:path';
import { attachEmbeddedDatabase } from '../../src/server/embedded-postgres/embedded-postgres.js';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { hostileFiles } from '../support/hostile-files.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { headline, readable } from '../support/page-text.js';
import { printFigures } from '../support/print-figures.js';
import { residentMemoryOf } from '../support/process-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { type SignedIn, signInAtDesk, uploadAtDesk } from '../support/sign-in.js';
import { TestPool } from '../support/test-pool.js';
import { workbook } from '../support/xlsx.js';

/** A thread may use 256 MB; the rest is for the upload and its copy. */
const MAX_GROWTH_MB = 700;

/** Seconds of work before the first row. */
const SLOW = workbook([['sku']], { sharedStrings: `<sst><si>${'<b/>'.repeat(50_000_000)}</si></sst>` });

describe('A service that reads a hostile file', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let pool: TestPool;
  let store: Store;
  let staff: Pick<SignedIn, 'cookie' | 'get' | 'post'>;

  const start = async () => {
    service = await ServiceProcess.start({
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '0',
      SHUTDOWN_GRACE_SECONDS: '8',
    });
    const embedded = await attachEmbeddedDatabase(dataDir);
    pool = new TestPool({ connectionString: embedded.url });
    pool.on('error', () => undefined);
    staff = await signInAtDesk({ pool, url: service.url }, 'staff');
    // The service is the last one now, and stops PostgreSQL.
    await embedded.detach();
  };

  beforeAll(async () => {
    dataDir = await makeOpenDirectory('files-');
    await start();
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    store = await fixtures.store();
    await fixtures.product({ sku: 'MUG', stock: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await service.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  const upload = (name: string, content: Buffer) =>
    uploadAtDesk(service.url, staff.cookie, { kind: 'catalog', name, content });

  const stops = async () => {
    const code = await service.end('SIGTERM');
    await eventually(async () => (await runningServer(path.join(dataDir, 'postgres'))) === undefined);
    return code;
  };

  it('refuses it in little memory, and answers other requests', async () => {
    const before = await residentMemoryOf(service.child.pid!);
    const files = hostileFiles(100_000_000);
    let limit = 0;
    for (const [, make, reason] of files) {
      const run = await upload('bad.xlsx', make());
      const html = await eventually(async () => {
        const stock = await fetch(`${service.url}/api/products`, { headers: store.headers });
        if (!stock.ok) throw new Error(`A store was answered ${stock.status}.`);
        limit = Math.max(limit, (await residentMemoryOf(service.child.pid!)) - before);
        const { text } = await staff.get(run);
        return headline(text).startsWith('Checking') ? '' : text;
      });
      expect(readable(html)).toMatch(reason);
    }
    printFigures('hostile files', { files: files.length, 'most memory more (MB)': limit });
    expect(limit).toBeLessThan(MAX_GROWTH_MB);
  });

  it('stops in the middle of it, together with its database', async () => {
    const run = await upload('slow.xlsx', SLOW);
    expect(headline((await staff.get(run)).text)).toBe('Checking slow.xlsx');
    await pool.end();
    expect(await stops()).toBe(0);
    await start();
    expect(headline((await staff.get(run)).text)).toBe('The import of slow.xlsx was interrupted');
  });

  it('stops together with its database even if an import waits for a row', async () => {
    const content = [
      ['sku', 'name'],
      ['MUG', 'A new name'],
    ];
    const run = await upload('mug.xlsx', workbook(content));
    await eventually(async () => headline((await staff.get(run)).text) === '1 row would be written');
    const inTheWay = await pool.connect();
    inTheWay.on('error', () => undefined);
    await inTheWay.query(`BEGIN; SELECT FROM products WHERE sku = 'MUG' FOR UPDATE`);
    await staff.post(`${run}/apply`, { checks: '1' });
    await eventually(async () => {
      const { rows } = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    expect(await stops()).toBe(1);
    expect(service.output).toContain('could not be left in order');
    inTheWay.release(true);
    await pool.end();
    await start();
    expect(headline((await staff.get(run)).text)).toMatch(/was interrupted|^Applying/);
  });
});
