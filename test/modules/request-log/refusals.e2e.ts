import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { setUpTestApp } from '../../support/test-app.js';

interface Refused {
  refused_at: string;
  client_id: number;
  client: string;
  store_order_id: string | null;
  code: string;
  asked: { sku: string | null; quantity: number | null }[];
  reasons: Record<string, unknown>[];
}

/** More long refusals than the log keeps in one hour. */
const SENT = 60;

/** A request that is wrong in every line. */
const nonsense = (n: number) =>
  orderBody(
    Array.from({ length: 100 }, (_, line) => ({ sku: `NONE-${line}`, quantity: 1 })),
    { store_order_id: `NONSENSE-${n}` },
  );

describe('The list of refused orders', () => {
  const test = setUpTestApp();

  async function command(...args: string[]) {
    await test.app.get(RequestLog, { strict: false }).writeAll();
    return runCommand(test.database.serviceUrl, 'order', 'refused', ...args);
  }

  async function refused(...args: string[]): Promise<Refused[]> {
    await test.app.get(RequestLog, { strict: false }).writeAll();
    return answerOf<Refused[]>(test.database.serviceUrl, 'order', 'refused', ...args);
  }

  const ofClient = ({ clientId }: Store) => refused('--client', String(clientId));

  it('shows the requested items and the reasons, and no data of the customer', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const store = await test.fixtures.store();
    const items = [{ sku, quantity: 5 }];
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-1' })).expect(422);
    const [line] = items;
    await test
      .post(store, '/api/orders', orderBody([{ ...line!, quantity: 1 }], { store_order_id: 'WEB-2' }))
      .expect(201);
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-2' })).expect(409);
    const { customer } = orderBody(items);
    await test
      .post(store, '/api/orders', { ...orderBody(items), customer: { ...customer, email: 'Ravi at home' } })
      .expect(422);
    await test.post(store, '/api/orders', '{"items": [').expect(400);
    await test.post(store, '/api/orders/quote', orderBody([])).expect(422);
    await test.get(store, '/api/orders/WEB-1/status').expect(404);

    const listed = await ofClient(store);
    expect(listed).toMatchObject([
      { store_order_id: null, code: 'malformed_json', asked: [], reasons: [] },
      {
        code: 'validation_failed',
        asked: items,
        reasons: expect.arrayContaining([{ field: 'customer.email', code: 'invalid_email' }]),
      },
      {
        store_order_id: 'WEB-2',
        code: 'duplicate_order',
        asked: items,
        reasons: [
          { field: '', code: 'duplicate_order', message: expect.stringContaining('already have an order') },
        ],
      },
      {
        client_id: store.clientId,
        store_order_id: 'WEB-1',
        code: 'validation_failed',
        asked: items,
        reasons: [
          { field: 'items[0].quantity', code: 'insufficient_stock', sku, requested: 5, available: 3 },
        ],
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain('Ravi');

    const { stdout } = await command('--client', String(store.clientId));
    for (const notice of [
      `${sku} × 5`,
      `${sku}: quantity only 3 can be sold now, but the order needs 5`,
      'customer.email is not an email address',
    ])
      expect(stdout).toContain(notice);
  });

  it('shows each client its own refusals and their number when the log keeps only some', async () => {
    const [hostile, honest, other] = [
      await test.fixtures.store(),
      await test.fixtures.store(),
      await test.fixtures.store(),
    ];
    const sent = Array.from({ length: SENT }, (_, n) =>
      [hostile, other].map((store) => test.post(store, '/api/orders', nonsense(n)).expect(422)),
    );
    await Promise.all([test.post(honest, '/api/orders', nonsense(0)).expect(422), ...sent.flat()]);

    expect(await ofClient(honest)).toMatchObject([{ store_order_id: 'NONSENSE-0' }]);
    for (const store of [hostile, other]) {
      const listed = await ofClient(store);
      const leftOut = listed.filter(({ code }) => code === 'not_kept');
      const kept = listed.length - leftOut.length;
      expect(kept).toBeGreaterThan(5);
      const message = `${SENT - kept} more were refused in this hour`;
      expect(leftOut).toMatchObject([
        { client_id: store.clientId, store_order_id: null, asked: [], reasons: [{ field: '', message }] },
      ]);
      expect((await command('--client', String(store.clientId))).stdout).toContain(message);
    }
  });

  it('starts at the requested time', async () => {
    const store = await test.fixtures.store();
    await test.post(store, '/api/orders', orderBody([])).expect(422);
    const [{ refused_at: at } = { refused_at: '' }] = await ofClient(store);
    const just = new Date(Date.parse(at) + 1).toISOString();
    expect(await refused('--client', String(store.clientId), '--since', at)).toHaveLength(1);
    expect(await refused('--client', String(store.clientId), '--since', just)).toEqual([]);
    const { clientId } = await test.fixtures.neighbours();
    const ofNeighbour = await refused('--client', String(clientId));
    expect(ofNeighbour.map(({ code }) => code).toSorted()).toEqual(['insufficient_stock', 'not_kept']);
  });
});
