import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { moveOrder } from '../support/order-steps.js';
import { runNode } from '../support/run-node.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/store.mjs', import.meta.url));

/**
 * A proxy that answers 408 to the first request and 410 to the first sync token of orders, and drops the answer
 * to the first order.
 */
async function startLossyProxy(target: string): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  let lost = false;
  let expired = false;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    if (paths.push(url!) === 1) {
      outgoing.writeHead(408).end(JSON.stringify({ code: 'request_timeout', message: 'Too slow.' }));
      return;
    }
    if (url!.startsWith('/api/orders?since=') && !expired) {
      expired = true;
      outgoing.writeHead(410).end(JSON.stringify({ code: 'sync_token_expired', message: 'Begin anew.' }));
      return;
    }
    const onward = request(new URL(url!, target), { method, headers }, (answer) => {
      if (url === '/api/orders' && method === 'POST' && !lost) {
        lost = true;
        outgoing.destroy();
        answer.resume();
        return;
      }
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  atSuiteEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const polls = (paths: string[]) => paths.filter((each) => each.startsWith('/api/orders?since=')).length;

describe('examples/store.mjs', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'SOLD-OUT', stock: 0 });
    await test.fixtures.product({
      sku: 'SHIRT',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      stock: { 'Size:S': 0, 'Size:M': 1 },
    });
  });

  it('reports an empty stock', async () => {
    const env = { BASE_URL: test.url, TOKEN: store.token, DOMAIN: store.domain };
    await test.fixtures.hold('SHIRT', 1, 'Size:M');
    const { exitCode, stderr } = await runNode([EXAMPLE], env);
    await test.fixtures.hold('SHIRT', 0, 'Size:M');
    expect([exitCode, stderr]).toEqual([1, 'nothing is in stock, so there is nothing to order\n']);
  });

  it('takes the demo credentials from DATA_DIR', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'wholesale-store-'));
    const credentials = { token: 'wha_unknown', domain: store.domain };
    await writeFile(path.join(directory, 'demo-credentials.json'), JSON.stringify(credentials));
    const { exitCode, stderr } = await runNode([EXAMPLE], { BASE_URL: test.url, DATA_DIR: directory });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('401 token_invalid')]);
    await rm(directory, { recursive: true });
  });

  it('syncs the catalog, orders once in spite of a lost answer, and follows the order', async () => {
    const { url, paths } = await startLossyProxy(test.url);
    const env = { BASE_URL: url, TOKEN: store.token, DOMAIN: store.domain, POLL_SECONDS: '0.05' };
    const example = runNode([EXAMPLE], env);
    const orderNumber = await eventually(async () => {
      const { rows } = await test.pool.query<{ order_number: string }>('SELECT order_number FROM orders');
      return rows[0]?.order_number ?? '';
    });
    await moveOrder(test, store, orderNumber, 'pay', 'ship');
    // The first poll after this one sees the parcel. The example goes on until the delivery.
    const before = polls(paths);
    await Promise.race([example, eventually(() => polls(paths) > before + 1)]);
    await moveOrder(test, store, orderNumber, 'deliver');
    const { exitCode, stdout, stderr } = await example;
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('catalog: 2 products came, 2 are for sale');
    expect(stdout).toContain('an earlier attempt had arrived already; only its answer was lost');
    // The shipped product, and perhaps the product whose stock changed at the time of the list.
    expect(stdout).toMatch(/catalog: 2 products came[^]+catalog: [12] products came, 2 are for sale/);
    const changes = '/api/products?expand=variations,delivery_charge,details&since=';
    expect(paths.some((each) => each.startsWith(changes))).toBe(true);
    const parcel = 'Delhivery DL123 https://track.example.com/DL123';
    expect(stdout).toContain(`${orderNumber}: shipped ${parcel}\n${orderNumber}: delivered ${parcel}\n`);
    const { rows: orders } = await test.pool.query('SELECT count(*)::int AS count FROM orders');
    expect(orders[0]).toEqual({ count: 1 });
  });
});
