import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import { moveOrder } from '../support/order-steps.js';
import { runNode } from '../support/run-node.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const GENERATOR = root('node_modules/openapi-typescript/bin/cli.js');
const COMPILER = root('node_modules/typescript/bin/tsc');
const CLIENT = root('test/api/generated-client');

describe('A client generated from the OpenAPI document', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({
      basePrice: '249.00',
      deliveryCharge: '49.00',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      stock: { 'Size:S': 0, 'Size:M': 5 },
    }));
    const generated = await runNode([GENERATOR, `${test.url}/docs/openapi.json`, '-o', `${CLIENT}/api.d.ts`]);
    expect([generated.exitCode, generated.stderr]).toEqual([0, expect.any(String)]);
  });

  it('types the whole flow without a cast', async () => {
    const flow = await readFile(`${CLIENT}/flow.ts`, 'utf8');
    expect(flow).not.toMatch(/\bas (?!const)|\bany\b|@ts-|[\w)]!\./);
    expect(await runNode([COMPILER, '-p', CLIENT])).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('runs it from the catalog to the delivered order', async () => {
    const flow = runNode(['--import', root('test/support/typescript-loader.js'), `${CLIENT}/flow.ts`], {
      BASE_URL: test.url,
      TOKEN: store.token,
      DOMAIN: store.domain,
    });
    const [{ exitCode, stdout, stderr }, orderNumber] = await Promise.all([flow, deliver()]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      domain: store.domain,
      price: 249,
      delivery: 49,
      total: 547,
      location: `/api/orders/${orderNumber}/status`,
      duplicate: { number: orderNumber, same: true },
      stock: { named: [sku], unknown: ['NO,SUCH'] },
      changed: { stock: [[sku, 3]], orders: [[orderNumber, 'delivered']] },
      tracking: 'DL123',
      timeline: ['awaiting_payment', 'pending', 'shipped', 'delivered'],
      listed: [orderNumber],
      bulk: [orderNumber],
      cancel: 'not_cancellable',
      orderNumber,
    });
  });

  /** Acts as the wholesaler: moves the order on as soon as it exists. */
  async function deliver(): Promise<string> {
    const orderNumber = await eventually(async () => {
      const { rows } = await test.pool.query<{ order_number: string }>('SELECT order_number FROM orders');
      return rows[0]?.order_number ?? '';
    });
    await moveOrder(test, store, orderNumber, 'pay', 'ship', 'deliver');
    return orderNumber;
  }
});
