import { CourierReportsService } from '../../src/modules/fulfilment/parcels/courier-reports.service.js';
import { orderReturns } from '../support/order-returns.js';
import { type OrderDesk, orderDesk } from '../support/order-desk.js';
import type { GoodsState, ParcelException } from '../../src/modules/orders/rules/goods-state.js';
import type { DeskPerson } from '../../src/platform/access/signed-in-person.js';
import type { Store } from '../support/fixtures.js';
import { placeAndMove } from '../support/order-steps.js';
import { readable, rows } from '../support/page-text.js';
import { type SignedIn, signIn, signInAtDesk } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';

const SHIPMENT = {
  courier: 'Delhivery',
  trackingUrl: null,
  shippedAt: null,
  sharedWithOrders: 'any' as const,
};

type Fate = ParcelException | 'arrives' | 'delivered';

describe('Orders that do not arrive', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let desk: OrderDesk;
  let store: Store;
  let owner: SignedIn;
  let staff: SignedIn<DeskPerson>;

  beforeAll(async () => {
    desk = orderDesk(test.app);
    await test.fixtures.product({ sku: 'MUG', stock: 1_000 });
    staff = await signInAtDesk(test, 'staff');
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
  });

  /** An order with one unit in each parcel, and so many more that wait. */
  const sent = async (fates: readonly Fate[], waiting = 0): Promise<string> => {
    const quantity = fates.length + waiting;
    const number = await placeAndMove(test, store, [{ sku: 'MUG', quantity }], 'pay');
    for (const at of fates.keys())
      await desk.ship(number, 'test', { ...SHIPMENT, trackingNumber: `P${at + 1}` }, ['1=1']);
    for (const [at, fate] of fates.entries()) await befall(number, at + 1, fate);
    return number;
  };
  const befall = async (number: string, parcel: number, fate: Fate) => {
    if (fate === 'delivered') await desk.deliver(number, 'test', parcel);
    else if (fate !== 'arrives') {
      const { fingerprint } = await desk.orderPage(number);
      const reports = test.app.get(CourierReportsService, { strict: false });
      await reports.report({ orderNumber: number, parcel, exception: fate }, 'test', fingerprint);
    }
  };
  const stateOf = async (number: string) => (await desk.show(number)).goods_state;
  const page = async (address: string, who: SignedIn | SignedIn<DeskPerson> = owner) =>
    (await who.get(address).expect(200)).text;
  const listed = async (address: string, who: SignedIn | SignedIn<DeskPerson> = owner) =>
    rows(await page(address, who)).map((row) => /WO-\d{8}-[A-Z0-9]{5}-[A-Z0-9]{5}/.exec(row)?.[0]);

  it.each<[Fate[], GoodsState | null]>([
    [['arrives'], null],
    [['delivered'], 'delivered'],
    [['arrives', 'lost', 'returned'], null],
    [['returned', 'returned'], 'returned'],
    [['delivered', 'returned'], 'returned_in_part'],
    [['returning'], 'returning'],
    [['returned', 'returning'], 'returning_in_part'],
    [['lost', 'lost'], 'lost'],
    [['returning', 'lost'], 'lost_in_part'],
    [['delivered', 'lost'], 'lost_in_part'],
  ])('are kept in the order by what became of all its parcels: %j %s', async (fates, expected) => {
    const number = await sent(fates);
    expect(await stateOf(number)).toBe(expected);
    const partly = await sent(fates, 1);
    expect(await stateOf(partly)).toBe(expected);
    await desk.ship(partly, 'test', { ...SHIPMENT, trackingNumber: 'LAST' });
    expect(await stateOf(partly)).toBeNull();
    await desk.undo(partly, 'test', { action: 'withdraw', reason: 'It is still here.' });
    expect(await stateOf(partly)).toBe(expected);
  });

  it('came back when returns have received all that left', async () => {
    const returns = orderReturns(test.app);
    const number = await sent(['arrives', 'arrives']);
    const comesBack = async (reason: string) => {
      const { number: returned } = await returns.add(
        number,
        { lines: [{ line: 1, quantity: 1 }], reason },
        'test',
      );
      expect(await stateOf(number)).toBeNull();
      await returns.receive(returned, { restock: [], refund: true }, 'test');
    };
    await comesBack('too large');
    expect(await stateOf(number)).toBeNull();
    await comesBack('too small');
    expect(await stateOf(number)).toBe('returned');
  });

  it('are not on the way for their client, and have a list of their own', async () => {
    const [arriving, lost, back, partly, rest] = [
      await sent(['arrives']),
      await sent(['lost']),
      await sent(['delivered', 'returned']),
      await sent(['arrives'], 1),
      await sent(['returning'], 1),
    ];
    const home = readable(await page('/dashboard'));
    expect(home).toContain('On the way 2 ');
    expect(await listed('/dashboard')).toEqual([partly, arriving]);
    const orders = await page('/dashboard/orders');
    expect(readable(orders)).toContain(
      'All 5 Awaiting payment 0 Being processed 0 Paid 2 Shipped 1 Came back or lost 2 Delivered 0',
    );
    const state = (number: string) => readable(orders).split(number)[1]!.split('WO-')[0];
    expect(state(lost)).toContain(' Lost ');
    expect(state(back)).toContain(' Came back in part ');
    expect(state(partly)).toMatch(/a parcel is on its way .*Partly shipped /);
    expect(state(rest)).toMatch(/what left is on its way back .*Partly shipped /);
    expect(await listed('/dashboard/orders?group=shipped')).toEqual([arriving]);
    expect(await listed('/dashboard/orders?group=not_arriving')).toEqual([back, lost]);
    const file = (await owner.get('/dashboard/orders.csv').expect(200)).text;
    for (const words of [`${lost},,Lost`, `${back},,Came back in part`, `${partly},,Partly shipped`])
      expect(file).toContain(words);
  });

  it('are not among the shipped or late ones at the desk, whatever the client', async () => {
    const [arriving, lost, halfLost] = [
      await sent(['arrives']),
      await sent(['lost']),
      await sent(['lost', 'arrives']),
    ];
    await test.fixtures.sql(
      `UPDATE orders SET shipped_at = now() - interval '40 days' WHERE client_id = $1`,
      [store.clientId],
    );
    const own = `&client=${store.clientId}`;
    const address = (status: string) => `/desk/orders?status=${status}${own}`;
    expect(await listed(address('shipped'), staff)).toEqual([halfLost, arriving]);
    expect(await listed(address('late'), staff)).toEqual([arriving, halfLost]);
    expect(await listed(address('not_arriving'), staff)).toEqual([lost]);
    const tabs = readable(await page(address('shipped'), staff));
    expect(tabs).toContain('Shipped 2 Not delivered in time 2 Came back or lost 1');
    const file = (await staff.get(`/desk/orders/orders.csv?status=not_arriving${own}`).expect(200)).text;
    expect(file.trimEnd().split('\r\n')).toEqual([
      expect.stringContaining(',status,goods_state,'),
      expect.stringContaining(',shipped,lost,'),
    ]);
    expect((await listed('/desk/orders?status=not_arriving', staff)).includes(lost)).toBe(true);
  });

  it('tell in their history what was reported, and wait for a person until the loss is refunded', async () => {
    const number = await sent(['arrives'], 2);
    // Units that were cancelled are refunded too, but not those of the parcel.
    await desk.cancel(number, 'test', { lines: ['1=1'], reason: 'sold out' });
    await befall(number, 1, 'returning');
    await befall(number, 1, 'lost');
    for (const [who, author] of [
      [owner, 'by the wholesaler'],
      [staff, 'by test'],
    ] as const) {
      const path = who === owner ? '/dashboard/orders' : '/desk/orders';
      const history = readable(await page(`${path}/${number}`, who)).split(' History ')[1];
      expect(history).toMatch(new RegExp(`Parcel 1: RTO, on its way back .*${author}`));
      expect(history).toMatch(new RegExp(`Parcel 1: Lost .*${author}`));
    }
    const waiting = async () =>
      (await desk.parcelExceptions(100)).some(({ orderNumber }) => orderNumber === number);
    expect(await waiting()).toBe(true);
    await desk.refund(number, 'test', { lines: ['1=1'], reason: 'lost' });
    expect(await waiting()).toBe(false);
  });
});
