import { TOTP } from 'otpauth';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { addPerson, PASSWORD, type SignedIn, startSession } from '../../support/sign-in.js';
import type { TestApp } from '../../support/test-app.js';
import { PeopleAdministrationService } from '../../../src/modules/people/people-administration.service.js';
import type { ClientPerson } from '../../../src/platform/access/signed-in-person.js';
import { SellersService } from '../../../src/modules/invoices/sellers.service.js';
import { OrderDeskRepository } from '../../../src/modules/orders/records/order-desk.repository.js';
import { orderDesk } from '../../support/order-desk.js';
import { orderReturns } from '../../support/order-returns.js';
import { TwoFactorService } from '../../../src/modules/people/two-factor/two-factor.service.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';

/** A client with something to see on every page. */
export interface Shop {
  store: Store;
  owner: SignedIn;
  /** Another person of the client, with a second step. */
  buyer: SignedIn;
  /** The owner of another client, for which nothing has happened yet. */
  newcomer: SignedIn;
  /** The link of an invited person. */
  invitation: string;
  /** Of those that wait for payment, the oldest first. */
  unpaid: string[];
  shipped: string;
  /** Shipped in part, with a cancelled unit, a refund and returns. */
  inParts: string;
  /** The number of a call that was refused. */
  refusedRequest: string;
  cancelled: string;
  /** A top-up that is being processed. */
  payment: string;
}

const PRODUCTS = [
  {
    sku: 'KURTA-01',
    name: 'Block-print kurta',
    basePrice: '549.00',
    deliveryCharge: '60.00',
    category: 'Clothing',
  },
  {
    sku: 'BRASS-07',
    name: 'Brass diya, set of six',
    basePrice: '899.50',
    deliveryCharge: '80.00',
    category: 'Home',
  },
  {
    sku: 'TEA-250',
    name: 'Assam tea, 250 g',
    basePrice: '210.00',
    deliveryCharge: '30.00',
    category: 'Kitchen',
  },
];

const CUSTOMERS = [
  ['Ravi Kumar', 'Bengaluru', 'Karnataka', '560038'],
  ['Meera Nair', 'Kochi', 'Kerala', '682001'],
  ['Farhan Ali', 'Hyderabad', 'Telangana', '500001'],
  ['Lakshmi Iyer', 'Chennai', 'Tamil Nadu', '600004'],
  ['Arjun Singh', 'Jaipur', 'Rajasthan', '302001'],
  ['Devika Rao', 'Mysuru', 'Karnataka', '570001'],
] as const;

/** So many hours ago each was placed, and what became of it. */
const ORDERS = [
  { hours: 3, actions: [] },
  { hours: 7, actions: [] },
  { hours: 26, actions: [] },
  { hours: 30, actions: ['pay'] },
  { hours: 52, actions: ['pay', 'ship'] },
  { hours: 75, actions: ['pay', 'ship', 'deliver'] },
  { hours: 80, actions: ['cancel'] },
  { hours: 90, actions: ['pay'] },
] as const;

export async function openShop(test: TestApp): Promise<Shop> {
  await addStock(test);
  const store = await test.fixtures.store({ name: 'Anaya Home', state: '27' });
  await schedulePrices(test, store);
  await test.app.get(WalletService).adjust(store.clientId, '50000.00', 'opening balance', 'test');
  const numbers: string[] = [];
  for (const [at, { hours, actions }] of ORDERS.entries()) {
    const number = await placeOrder(test, store, at);
    await moveOrder(test, store, number, ...actions);
    await test.fixtures.age(hours, number);
    numbers.push(number);
  }
  const person = await addPerson(test, store.clientId);
  await introduce(test, person.id, 'Anaya Sharma', 'anaya@anaya.example.com');
  const owner = await startSession(test, person);
  // In another browser too.
  await startSession(test, person);
  const seller = { name: 'Sharma Wholesale', gstin: '27AAPFU0939F1ZV', address: '1 MG Road, Pune 411001' };
  await test.app.get(SellersService, { strict: false }).set(seller, 'test');
  const { headers } = await owner.post('/dashboard/wallet/top-up', { amount: '2500.00' }).expect(303);
  return {
    store,
    owner,
    ...(await addColleagues(test, store)),
    newcomer: await addNewcomer(test),
    unpaid: numbers.filter((_, at) => ORDERS[at]!.actions.length === 0).toReversed(),
    shipped: numbers[4]!,
    cancelled: numbers[6]!,
    inParts: await shipInParts(test, numbers[7]!),
    payment: /payments\/([\w-]+)/.exec(headers.location!)![1]!,
    refusedRequest: await makeCalls(test, store),
  };
}

async function shipInParts(test: TestApp, number: string): Promise<string> {
  const desk = orderDesk(test.app);
  const returns = orderReturns(test.app);
  const parcel = { courier: 'BlueDart', trackingUrl: null, shippedAt: null };
  await desk.ship(number, 'test', { ...parcel, trackingNumber: 'BD-55120001' }, ['1=2']);
  await desk.ship(number, 'test', { ...parcel, trackingNumber: 'BD-55120002' }, ['1=1']);
  await desk.deliver(number, 'test', 1);
  await desk.cancel(number, 'test', { lines: ['1=1'], reason: 'the last one is broken' });
  await desk.refund(number, 'test', { delivery: true, reason: 'sent late' });
  const returnRequest = {
    lines: [{ line: 1, quantity: 1 }],
    reason: 'Arrived damaged',
    note: 'the seam is open',
  };
  const key = await test.app.get(OrderDeskRepository, { strict: false }).findKey(number);
  const first = await returns.request(key!, returnRequest, 'test');
  await returns.receive(first, { restock: [], refund: true, note: 'We are sorry.' }, 'test');
  await returns.request(key!, { ...returnRequest, reason: 'Not wanted any more', note: undefined }, 'test');
  return number;
}

/** A discount that stays, and prices for two weeks. */
async function schedulePrices(test: TestApp, { planId }: Store): Promise<void> {
  await test.fixtures.sql(
    `WITH schedule AS (
       INSERT INTO price_schedules (from_at, to_at, actor)
       VALUES (now() + interval '9 days', now() + interval '23 days', 'test'),
              (now() + interval '30 days', NULL, 'test')
       RETURNING id, to_at)
     INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, value)
     SELECT id, 1, $1::int, NULL::int, 5 FROM schedule WHERE to_at IS NULL
     UNION ALL
     SELECT schedule.id, row_number() OVER (ORDER BY p.id), $1, p.id, p.base_price - 10
       FROM schedule, products p WHERE to_at IS NOT NULL`,
    [planId],
  );
}

/** Everybody else of its people: one who is in, one who has left, one who is still to come. */
async function addColleagues(
  test: TestApp,
  { clientId }: Store,
): Promise<Pick<Shop, 'buyer' | 'invitation'>> {
  const { id } = await addPerson(test, clientId, { role: 'buyer' });
  const left = await addPerson(test, clientId, { role: 'viewer' });
  const people = test.app.get(PeopleAdministrationService, { strict: false });
  const operator = { clientId, actor: 'test' };
  await introduce(test, id, 'Meera Nair', 'meera@anaya.example.com');
  await introduce(test, left.id, 'Farhan Ali', 'farhan@anaya.example.com');
  await people.disable(operator, left.id);
  const invited = await people.invite(operator, { email: 'lakshmi@anaya.example.com', role: 'viewer' });
  const buyer = await startSession(test, { id });
  await takeSecondStep(test, buyer.person);
  return { buyer, invitation: new URL(invited.url!).pathname + new URL(invited.url!).hash };
}

async function takeSecondStep(test: TestApp, person: ClientPerson): Promise<void> {
  const twoFactor = test.app.get(TwoFactorService, { strict: false });
  const { secret } = await twoFactor.begin(person, PASSWORD);
  await twoFactor.confirm(person, new TOTP({ secret }).generate());
}

async function addNewcomer(test: TestApp): Promise<SignedIn> {
  const { rows } = await test.pool.query<{ id: number }>(
    `INSERT INTO clients (name, email) VALUES ('Kaveri Crafts', 'owner@kaveri.example.com') RETURNING id`,
  );
  const person = await addPerson(test, rows[0]!.id);
  await introduce(test, person.id, 'Kaveri Menon', 'kaveri@kaveri.example.com');
  return startSession(test, person);
}

function introduce({ pool }: TestApp, personId: number, name: string, email: string) {
  return pool.query('UPDATE people SET name = $2, email = $3 WHERE id = $1', [personId, name, email]);
}

/** What a store's program gets wrong, and a fortnight of what it gets right. */
async function makeCalls(test: TestApp, store: Store): Promise<string> {
  await test.get(store, '/api/products').expect(200);
  await test.get(store, '/api/products/KURTA-1').expect(404);
  await test.get(
    { ...store, headers: { ...store.headers, 'X-Client-Domain': 'old.example.com' } },
    '/api/plan',
  );
  await test.get(store, '/api/order/WEB-1001').expect(404);
  const items = [
    { sku: 'KURTA-1', quantity: 1 },
    { sku: 'TEA-250', quantity: 0 },
  ];
  await test
    .post(store, '/api/orders', { items, customer: { name: 'Ravi Kumar' }, shipping: {} })
    .expect(422);
  await test.app.get(RequestLog, { strict: false }).writeAll();
  await test.fixtures.sql(
    `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests, left_out)
     SELECT $1, date_trunc('hour', now(), 'UTC') - make_interval(hours => n), 'GET', '/api/stock', class,
            CASE class WHEN 2 THEN '' WHEN 4 THEN 'product_not_found' ELSE 'unavailable' END,
            CASE class WHEN 2 THEN 40 + (n * 37) % 23 WHEN 4 THEN (n * 13) % 11 / 5 ELSE n % 47 / 46 END,
            CASE WHEN class = 4 AND n = 7 THEN 12 ELSE 0 END
       FROM generate_series(1, 300) AS n, unnest(ARRAY[2, 4, 5]) AS class`,
    [store.clientId],
  );
  const { rows } = await test.pool.query<{ id: string }>(
    'SELECT max(id) AS id FROM store_requests WHERE client_id = $1 AND status = 422',
    [store.clientId],
  );
  return rows[0]!.id;
}

export async function addStock({ fixtures }: TestApp): Promise<void> {
  await fixtures.products(
    PRODUCTS.map((product) => ({ ...product, stock: 500, hsn: '610910', gstRate: '5' })),
  );
}

/** As the store's program does. */
export async function placeOrder(test: TestApp, store: Store, at = 0): Promise<string> {
  const [name, city, state, pincode] = CUSTOMERS[at % CUSTOMERS.length]!;
  const { sku } = PRODUCTS[at % PRODUCTS.length]!;
  const body = orderBody([{ sku, quantity: (at % 4) + 1 }], {
    store_order_id: `WEB-${1001 + at}`,
    customer: { name, phone: '+91 98765 43210', email: 'customer@example.com' },
    shipping: { address: '12, MG Road', city, state, pincode },
  });
  return test.place(store, body);
}
