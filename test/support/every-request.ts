import { Background } from '../../src/server/background.js';
import { orderDesk } from './order-desk.js';
import { OrderExpiryService } from '../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { WalletService } from '../../src/modules/wallet/wallet.service.js';
import type { Store } from './fixtures.js';
import { orderBody } from './order-body.js';
import { signIn } from './sign-in.js';
import type { TestApp } from './test-app.js';

export interface EveryRequest {
  /** Each returns the status, or 200. */
  requests: Record<string, () => Promise<number>>;
  runJobs(only?: string): Promise<number>;
}

/** The work of the service for a store in Karnataka, for the suites that measure what it reads. */
export async function makeRequests(test: TestApp, store: Store): Promise<EveryRequest> {
  await test.fixtures.seller();
  const taxed = { stock: 1_000, hsn: '6912', gstRate: '18' };
  const skus = (await test.fixtures.products([taxed, taxed])).map(({ sku }) => sku);
  const browser = await signIn(test, store.clientId, 'owner');
  const autoPaying = await test.fixtures.store({ state: '29', planId: store.planId });
  await test.fixtures.sql(
    `INSERT INTO auto_pay (client_id, enabled_at, changed_by) VALUES ($1, now(), 'test')`,
    [autoPaying.clientId],
  );
  const wallets = test.app.get(WalletService, { strict: false });
  for (const { clientId } of [store, autoPaying])
    await wallets.adjust(clientId, '100000', 'for a test', 'test');
  let made = 0;
  let placed = { number: '', storeOrderId: '' };

  const place = async (more = {}, by = store) => {
    const storeOrderId = `kept-${++made}`;
    const items = skus.map((sku) => ({ sku, quantity: 1 }));
    const body = orderBody(items, { store_order_id: storeOrderId, ...more });
    const answer = await test.post(by, '/api/orders', body);
    if (answer.status === 201 && by === store)
      placed = { number: (answer.body as { order_number: string }).order_number, storeOrderId };
    return answer.status;
  };
  const placedKey = async () => {
    await place();
    return { clientId: store.clientId, orderNumber: placed.number };
  };
  const cancel = async () =>
    (await test.post(store, `/api/orders/${(await placedKey()).orderNumber}/cancel`)).status;
  const redirect = async () => {
    const { orderNumber } = await placedKey();
    const { customer, shipping } = orderBody([]);
    const delivery = { customer: { ...customer, name: 'Asha' }, shipping };
    return (await test.put(store, `/api/orders/${orderNumber}/delivery`, delivery)).status;
  };
  const quote = async () => {
    const body = orderBody(
      skus.map((sku) => ({ sku, quantity: 1 })),
      { store_order_id: 'quoted' },
    );
    return (await test.post(store, '/api/orders/quote', body)).status;
  };
  const changes = async () => {
    const { body } = await test.get(store, '/api/orders?limit=2');
    await place();
    return get(`?since=${(body as { sync_token: string }).sync_token}`);
  };
  const expire = async () => {
    await test.fixtures.age(100, (await placedKey()).orderNumber);
    return test.app.get(OrderExpiryService, { strict: false }).run();
  };
  const fulfil = async () => {
    const key = await placedKey();
    const desk = orderDesk(test.app);
    await test.app.get(OrderLifecycleService, { strict: false }).payFromWallet([key], 'test');
    await desk.ship(key.orderNumber, 'test', {
      courier: 'Post',
      trackingNumber: '1',
      trackingUrl: null,
      shippedAt: null,
      sharedWithOrders: 'any',
    });
    await desk.refund(key.orderNumber, 'test', { lines: ['1=1'], reason: 'damaged' });
    return (await desk.deliver(key.orderNumber, 'test')).status === 'delivered' ? 200 : 500;
  };
  /** Each job, with the work that some of them have only now. */
  const runJobs = async (only?: string) => {
    for (const job of test.app.get(Background, { strict: false }).jobs())
      if (only === undefined || only === job.name) await job.run();
    return 200;
  };
  const payByItself = async () => {
    await place({}, autoPaying);
    return runJobs('auto_pay');
  };
  const get = async (address: string) => (await test.get(store, `/api/orders${address}`)).status;
  const page = async (address: string) => (await browser.get(`/dashboard${address}`)).status;

  /** Each request returns the same small number of rows with tables of any size. */
  const requests: EveryRequest['requests'] = {
    'an order': () => place(),
    'a repeated order': () => place({ store_order_id: placed.storeOrderId }),
    'a refused order': () => place({ items: [{ sku: 'no-such', quantity: 1 }] }),
    'a status': () => get(`/${placed.number}/status`),
    'a status by the id of the store': () => get(`/${placed.storeOrderId}/status`),
    'a whole order': () => get(`/${placed.number}`),
    'the documents by day': async () => (await test.get(store, '/api/documents?limit=2')).status,
    'several statuses': () => get(`/status?orders=${placed.number},${placed.storeOrderId}`),
    'a page of the list': () => get('?limit=2'),
    'a page of one status': () => get('?limit=2&status=cancelled'),
    'a page of one payment status': () => get('?limit=2&payment_status=unpaid'),
    'a page of one day': () => get('?limit=2&created_from=2020-01-01'),
    'an order by the id of the store': () => get(`?limit=2&store_order_id=${placed.storeOrderId}`),
    'a quote': quote,
    'another delivery': redirect,
    'a cancelled order': cancel,
    'the account': async () => (await test.get(store, '/api/account')).status,
    'what changed since': changes,
    'an order that expires': expire,
    'the page of an order': () => page(`/orders/${placed.number}`),
    Home: () => page(''),
    'the orders to pay': () => page('/orders?group=to_pay'),
    'a search for an order number': () => page(`/orders?search=${placed.number}`),
    'the review of a payment': () => page(`/pay?order=${placed.number}`),
    'an order that is paid, shipped, refunded and delivered': fulfil,
    'the wallet': () => page('/wallet'),
    'the wallet of a month': () => page('/wallet?month=2020-01'),
    'the payments of the wallet': () => page('/wallet?kind=top_up'),
    'auto-pay': () => page('/wallet/auto-pay'),
    'the requests of stores': () => page('/requests'),
    'an order that auto-pay pays': payByItself,
    'all jobs': () => runJobs(),
  };
  return { requests, runJobs };
}
