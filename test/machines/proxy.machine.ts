import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { Daemon, missingPrograms } from './daemon.js';
import { Traffic } from './traffic.js';

const missing = missingPrograms();
if (missing) printFigures('proxy', { skipped: missing });

const RESTARTS = 4;

(missing ? describe.skip : describe)('Behind nginx with the file of the docs', () => {
  let database: TestDatabase;
  let pool: Pool;
  let environment: Record<string, string>;
  let nodes: ServiceProcess[];
  let nginx: Daemon;
  let url: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const ports = [await freePort(), await freePort()];
    environment = {
      DATABASE_URL: database.serviceUrl,
      RATE_LIMIT_PER_MINUTE: '0',
      UNPAID_ORDERS_LIMIT: '0',
      UNPAID_VALUE_LIMIT: '0',
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_DRAIN_SECONDS: '1',
    };
    nodes = await Promise.all(
      ports.map((each) => ServiceProcess.start({ ...environment, PORT: String(each) })),
    );
    nginx = await startNginx(port, ports);
    await eventually(async () => (await fetch(`${url}/health/live`)).ok);
  });
  afterAll(async () => {
    await Promise.all([ServiceProcess.killAll(), nginx?.kill()]);
    await pool?.end();
    await database?.drop();
  });

  /** The shipped file without TLS, on ports of this test. */
  async function startNginx(port: number, ports: number[]): Promise<Daemon> {
    const shipped = await readFile(new URL('../../docs/machines/nginx.conf', import.meta.url), 'utf8');
    const site = shipped
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replace(/^ *ssl_.*$/gm, '')
      .replace(/server 127\.0\.0\.1:3000(.*)$/m, (_, rest: string) =>
        ports.map((each) => `server 127.0.0.1:${each}${rest}`).join('\n'),
      );
    const directory = await makeOpenDirectory('wholesale-nginx-');
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const file = path.join(directory, 'nginx.conf');
    await writeFile(
      file,
      `daemon off; pid ${directory}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${places.join(' ')}\n${site}}`,
    );
    return new Daemon('nginx', ['-p', directory, '-c', file], undefined);
  }

  it('nodes restart in turn and requests go on', async () => {
    const traffic = await Traffic.start(
      pool,
      () => [url],
      nodes.map((node) => node.url),
    );
    for (let count = 0; count < RESTARTS; count++) {
      const index = count % nodes.length;
      const { port } = new URL(nodes[index]!.url);
      expect(await nodes[index]!.end('SIGTERM')).toBe(0);
      nodes[index] = await ServiceProcess.start({ ...environment, PORT: port });
    }
    await traffic.stop();
    // A connection that the node closes while nginx sends on it. With a pause after a refusal dozens fail.
    expect(traffic.failures).toBeLessThanOrEqual(RESTARTS);
    expect([...traffic.strange]).toEqual([]);
    expect(traffic.orders.acknowledged.size).toBeGreaterThan(0);
    expect(await lostOrders(pool, traffic.store.clientId, traffic.orders.acknowledged)).toEqual([]);
  });

  it('large heads, a request id and files pass; without a node its own error is one of the service', async () => {
    const answer = await fetch(`${url}/api/products?search=${'x'.repeat(40_000)}`, {
      headers: { 'X-Request-Id': 'from-a-store' },
    });
    expect([answer.status, answer.headers.get('X-Request-Id')]).toEqual([401, 'from-a-store']);
    expect(
      (await fetch(`${url}/desk/imports`, { method: 'POST', body: 'x'.repeat(2_000_000) })).status,
    ).not.toBe(413);
    for (const node of nodes) await node.end();
    const refused = await fetch(`${url}/api/account`);
    const { headers, status } = refused;
    expect([status, headers.get('Retry-After'), headers.get('Content-Type')]).toEqual([
      503,
      '2',
      'application/json',
    ]);
    expect(await refused.json()).toMatchObject({
      success: false,
      code: 'unavailable',
      request_id: headers.get('X-Request-Id'),
    });
  });
});
