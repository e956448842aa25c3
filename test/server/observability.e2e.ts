import { Client } from 'pg';
import { Background } from '../../src/server/background.js';
import { MetricsServer } from '../../src/server/observability/metrics-server.js';
import { VERSION } from '../../src/platform/version.js';
import { forwardClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { Fixtures } from '../support/fixtures.js';
import { MailServer } from '../support/mail-server.js';
import { orderBody } from '../support/order-body.js';
import { ServiceProcess } from '../support/service-process.js';
import { setUpTestApp, startTestApp } from '../support/test-app.js';

describe('Observability', () => {
  const test = setUpTestApp({ metricsPort: 0, metricsHost: '127.0.0.1' });

  const metricsUrl = () => `http://127.0.0.1:${test.app.get(MetricsServer).port}`;

  it('gives Prometheus figures of requests, snapshot, pool, orders, expiry and process', async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product();
    await test.get(store, `/api/products/${sku}/stock`).expect(200);
    await test.get(store, '/api/products/NO-SUCH-SKU/stock').expect(404);
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    await test.get(store, '/nowhere/at/all').expect(404);

    const response = await fetch(`${metricsUrl()}/metrics`);
    const text = await response.text();
    expect(response.headers.get('Content-Type')).toContain('text/plain');
    const route = 'route="/api/products/:sku/stock"';
    for (const line of [
      `http_request_duration_seconds_count{method="GET",${route},status="200"} 1`,
      `http_request_duration_seconds_count{method="GET",${route},status="404"} 1`,
      `http_request_duration_seconds_bucket{le="+Inf",method="GET",${route},status="200"} 1`,
      'http_request_duration_seconds_count{method="POST",route="/api/orders",status="201"} 1',
      'http_request_duration_seconds_count{method="GET",route="(none)",status="404"} 1',
      `build_info{version="${VERSION}",node="${process.version}"} 1`,
      'snapshot_products 1',
      'wholesale_orders{status="awaiting_payment"} 1',
      'wholesale_orders{status="cancelled"} 0',
      'background_runs_total{job="order_expiry",outcome="failed"} 0',
      'snapshot_refreshes_total{outcome="failed"} 0',
    ])
      expect(text).toContain(`${line}\n`);
    for (const name of [
      'snapshot_age_seconds',
      'snapshot_watermark',
      'database_pool_idle',
      'process_cpu_seconds_total',
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e+-]+$`, 'm'));
    expect(text).not.toContain(sku);
    expect(text).not.toContain(store.token);
  });

  it('names the holder of the oldest transaction, also of another database', async () => {
    const service = await startTestApp({ metricsPort: 0, metricsHost: '127.0.0.1' });
    const other = new URL(service.database.url);
    other.pathname = '/postgres';
    const forgotten = new Client(other.href);
    await forgotten.connect();
    await forgotten.query('BEGIN; CREATE TEMP TABLE forgotten ()');
    const { rows } = await forgotten.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // It holds something back as soon as a later one has ended.
    await service.fixtures.product();
    const { port } = service.app.get(MetricsServer);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await forgotten.end();
    await service.close();
    const series = `oldest_transaction_seconds{holder="pid ${rows[0]!.pid} in postgres"}`;
    expect(text).toMatch(new RegExp(`^${series} [\\d.e-]+$`, 'm'));
  });

  it('gives the age of the snapshot in seconds', async () => {
    const still = await startTestApp({
      metricsPort: 0,
      metricsHost: '127.0.0.1',
      snapshotIntervalMs: 3_600_000,
    });
    const age = async () => {
      const { port } = still.app.get(MetricsServer);
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^snapshot_age_seconds ([\d.e+-]+)$/m.exec(text)![1]);
    };
    const younger = await age();
    forwardClock(200);
    const older = await age();
    await still.fixtures.observed();
    const fresh = await age();
    await still.close();
    // The limits leave time for a busy machine between two requests.
    expect(younger).toBeLessThan(100);
    expect(older - younger).toBeGreaterThanOrEqual(200);
    expect(older - younger).toBeLessThan(300);
    expect(fresh).toBeLessThan(100);
  });

  it('counts the runs of each job that failed, and each job works again after them', async () => {
    const mail = await MailServer.start();
    const node = await startTestApp({ mail: mail.settings, publicUrl: 'https://wholesale.example.com' });
    const jobs = node.app.get(Background).jobs();
    const store = await node.fixtures.store();
    const runs = async () => {
      for (const job of jobs) await job.runSoon();
      return new Map(jobs.map((job) => [job.name, { ...job.runs }]));
    };
    const schema = (right: string) =>
      node.pool.query(`${right} PUBLIC, ${new URL(node.database.serviceUrl).username}`);
    for (const [name, { failed }] of await runs()) expect([name, failed]).toEqual([name, 0]);
    // Calls that the jobs write down.
    await node.get(store, '/api/account').expect(200);
    await schema('REVOKE USAGE ON SCHEMA public FROM');
    const away = await runs();
    await schema('GRANT USAGE ON SCHEMA public TO');
    const back = await runs();
    expect(jobs.length).toBeGreaterThan(10);
    for (const [name, { succeeded, failed }] of away) {
      // The log of requests drops what the database refuses, and counts it as lost.
      expect([name, failed > 0]).toEqual([name, name !== 'request_log']);
      expect([name, back.get(name)!.succeeded > succeeded]).toEqual([name, true]);
    }
    await node.close();
  });

  it('serves the metrics on a separate port', async () => {
    expect((await fetch(`${test.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${metricsUrl()}/api/products`)).status).toBe(404);
  });

  it('logs one line per request that cannot be forged and contains no tokens or personal data', async () => {
    const { database, pool } = test;
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    const store = await fixtures.store({ domain: 'logged.example.com' });
    const service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, ACCESS_LOG: 'all' });
    const forged = '\n{"level":"info","event":"request","request_id":"forged-id"}';
    const send = (path: string, headers: Record<string, string>, body?: string) =>
      fetch(`${service.url}${path}`, {
        headers: { ...store.headers, ...headers },
        ...(body && { method: 'POST', body }),
      });

    await send('/api/account', { 'X-Request-Id': 'kept-request-id' });
    await send(`/api/orders/${encodeURIComponent(`SECRET-1${forged}`)}/status`, {
      'X-Request-Id': 'two words "quoted"',
    });
    const order = orderBody([{ sku: 'NONE', quantity: 1 }], {
      store_order_id: `ID${forged}`,
      notes: `Ring twice${forged}`,
    });
    await send(
      '/api/orders',
      { 'Content-Type': 'application/json', 'X-Request-Id': 'refused-request-id' },
      JSON.stringify(order),
    );
    await eventually(() => service.output.includes('refused-request-id'));
    expect(await service.end('SIGINT')).toBe(0);

    const lines = service.output.split('\n').filter((line) => line.startsWith('{'));
    const requests = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'request');
    expect(requests).toMatchObject([
      {
        request_id: 'kept-request-id',
        client_id: store.clientId,
        method: 'GET',
        route: '/api/account',
        status: 200,
      },
      {
        request_id: expect.stringMatching(/^[\w.-]{8,64}$/),
        route: '/api/orders/:order_number/status',
        code: 'order_not_found',
      },
      {
        request_id: 'refused-request-id',
        method: 'POST',
        route: '/api/orders',
        status: 422,
        code: 'validation_failed',
        level: 'warn',
      },
    ]);
    for (const secret of [
      'forged-id',
      'SECRET-1',
      'Ring twice',
      'Ravi',
      '98765',
      'MG Road',
      store.token,
      new URL(database.serviceUrl).password,
    ])
      expect(service.output).not.toContain(secret);
  });

  it('goes on without a reader of its log', async () => {
    const service = await ServiceProcess.start({ DATABASE_URL: test.database.serviceUrl, ACCESS_LOG: 'all' });
    service.child.stdout!.destroy();
    service.child.stderr!.destroy();
    const call = () => fetch(`${service.url}/api/account`, { headers: { Connection: 'close' } });
    for (let count = 0; count < 10; count++) expect((await call()).status).toBe(401);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
