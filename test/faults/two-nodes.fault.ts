import type { OrderItemRequest } from '../../src/modules/orders/placing/create-order.request.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { createEmptyDatabase } from '../support/test-database.js';

describe('Two nodes on one database', () => {
  const database = setUpDatabase(createEmptyDatabase);
  let nodes: ServiceProcess[];
  let store: Store;

  beforeAll(async () => {
    const environment = {
      DATABASE_URL: database.url,
      SNAPSHOT_INTERVAL_MS: '250',
      EXPIRY_INTERVAL_SECONDS: '1',
    };
    nodes = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)]);
    store = await database.fixtures.store();
    await eventually(() => bothAnswer('/api/account', 200));
  });

  const get = (node: ServiceProcess, path: string) => fetch(`${node.url}${path}`, { headers: store.headers });

  async function bothAnswer(path: string, status: number): Promise<boolean> {
    const answers = await Promise.all(nodes.map((node) => get(node, path)));
    return answers.every((answer) => answer.status === status);
  }

  async function order(index: number, items: OrderItemRequest[], id: string): Promise<number> {
    const { status } = await fetch(`${nodes[index % nodes.length]!.url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody(items, { store_order_id: id })),
    });
    return status;
  }

  it('migrate an empty database once when they start at the same moment', async () => {
    const { rows } = await database.pool.query<{ name: string; times: number }>(
      'SELECT name, count(*)::int AS times FROM migrations GROUP BY name',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
    printFigures('migrations at once', { nodes: nodes.length, migrations: rows.length });
  });

  async function countOf(rows: string): Promise<number> {
    return (await database.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${rows}`))
      .rows[0]!.count;
  }

  it('sell the last units once', async () => {
    const { sku } = await database.fixtures.product({ stock: 50 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => order(n, [{ sku, quantity: 1 }], `last-${n}`)),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 422)).toHaveLength(150);
    expect(await contradictions(database.pool)).toEqual([]);
    await eventually(async () => {
      const answers = await Promise.all(nodes.map((node) => get(node, `/api/products/${sku}/stock`)));
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { stock_qty: number }[];
      return bodies.every(({ stock_qty: quantity }) => quantity === 0);
    });
    printFigures('last units through both', { units: 50, orders: 200, sold: 50 });
  });

  it('place an order once that both receive at the same moment', async () => {
    const { sku } = await database.fixtures.product({ stock: 1_000 });
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => order(n, [{ sku, quantity: 1 }], `twice-${Math.floor(n / 2)}`)),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 409)).toHaveLength(50);
    expect(await contradictions(database.pool)).toEqual([]);
  });

  it('expire each unpaid order once when both run the job', async () => {
    const { sku } = await database.fixtures.product({ stock: 1_000 });
    await Promise.all(Array.from({ length: 300 }, (_, n) => order(n, [{ sku, quantity: 1 }], `due-${n}`)));
    const unpaid = await countOf(`orders WHERE status = 'awaiting_payment'`);
    expect(unpaid).toBeGreaterThan(200);
    await database.fixtures.age(73);
    const beganAt = performance.now();
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM orders WHERE status = 'awaiting_payment' LIMIT 1`,
      );
      return rows.length === 0;
    });
    expect(await countOf(`order_timeline WHERE status = 'cancelled'`)).toBe(unpaid);
    expect(await contradictions(database.pool)).toEqual([]);
    const byNode = nodes.map(({ output }) =>
      [...output.matchAll(/(\d+) unpaid orders expired/g)].map(([, n]) => Number(n)),
    );
    const shares = byNode.map((batches) => batches.reduce((sum, batch) => sum + batch, 0));
    printFigures('expiry at once', {
      orders: unpaid,
      'by node': shares.join(' and '),
      'all within (s)': (performance.now() - beganAt) / 1_000,
    });
  });

  it('refuse a revoked token within a second', async () => {
    expect(await bothAnswer('/api/products', 200)).toBe(true);
    await database.fixtures.revoke(store.tokenId);
    const beganAt = performance.now();
    await eventually(() => bothAnswer('/api/products', 401), 1_000);
    printFigures('token revoked', { 'refused by both after (s)': (performance.now() - beganAt) / 1_000 });
  });
});
