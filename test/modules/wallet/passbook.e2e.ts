import { csvText } from '../../../src/shared/imports/csv-format.js';
import { orderDesk } from '../../support/order-desk.js';
import { StatementsService } from '../../../src/modules/payments/statements.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { monthAt, periodOf } from '../../../src/platform/time/time.js';
import { SalesService } from '../../../src/modules/sales/sales.service.js';
import { VouchersService } from '../../../src/modules/sales/vouchers/vouchers.service.js';
import {
  PASSBOOK_COLUMNS,
  Passbook,
  type PassbookFilter,
} from '../../../src/modules/wallet/passbook.repository.js';
import { adjustment, type Posting } from '../../../src/modules/wallet/rules/posting.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { all } from '../../support/operator-services.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The passbook', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let passbook: Passbook;
  let clientId: number;
  let posted = 0;

  beforeAll(async () => {
    passbook = test.app.get(Passbook, { strict: false });
  });
  beforeEach(async () => void ({ clientId } = await test.fixtures.store()));

  const post = (...postings: Posting[]) =>
    test.app
      .get(Database)
      .transaction((transaction) =>
        test.app.get(WalletService, { strict: false }).post(transaction, clientId, 'test', postings),
      );
  const gain = (amount: number, note = 'paid in') => adjustment(amount, note, String(++posted));
  const topUp = (amount: number): Posting => ({
    kind: 'top_up',
    against: 'bank',
    amount,
    key: `bank:${++posted}`,
  });
  const entries = async (filter: PassbookFilter = {}, before?: number) => {
    const lines = await passbook.newest(clientId, filter, before, 50);
    return lines.map(({ entry }) => entry);
  };
  const numbers = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => from - index);
  /** Moves these entries to that day. */
  const on = (day: string, ...which: number[]) =>
    test.fixtures.rewrite(
      'UPDATE wallet_entries SET created_at = $3 WHERE client_id = $1 AND entry = ANY ($2)',
      [clientId, which, `${day}T12:00:00Z`],
    );

  it('shows the newest entries first, with the balance after each', async () => {
    await post(topUp(50_000), gain(-12_550, 'a correction'));
    expect(await passbook.newest(clientId, {}, undefined, 50)).toMatchObject([
      { entry: 2, kind: 'adjustment', amount: -12_550, balanceAfter: 37_450, note: 'a correction' },
      { entry: 1, kind: 'top_up', against: 'bank', amount: 50_000, balanceAfter: 50_000, orderNumber: null },
    ]);
    expect(await test.app.get(WalletService, { strict: false }).funds(clientId)).toMatchObject({
      balance: 37_450,
    });
  });

  it('is read page by page', async () => {
    await post(...Array.from({ length: 120 }, () => gain(100)));
    expect(await entries()).toEqual(numbers(120, 71));
    expect(await entries({}, 71)).toEqual(numbers(70, 21));
    expect(await entries({}, 21)).toEqual(numbers(20, 1));
    expect(await entries({}, 1)).toEqual([]);
  });

  it('filters by kind and by days', async () => {
    await post(topUp(100_000), gain(100), gain(200), topUp(300));
    await on('2026-03-01', 1);
    await on('2026-03-02', 2, 3);
    await on('2026-03-03', 4);
    expect(await entries({ kind: 'top_up' })).toEqual([4, 1]);
    const second = { from: new Date('2026-03-02'), to: new Date('2026-03-03') };
    expect(await entries(second)).toEqual([3, 2]);
    expect(await entries({ ...second, kind: 'top_up' })).toEqual([]);
    expect(await entries({ from: new Date('2026-03-03') })).toEqual([4]);
    expect(await entries({ to: new Date('2026-03-01') })).toEqual([]);
    expect(await entries(second, 5)).toEqual([3, 2]);
    expect(await entries(second, 3)).toEqual([2]);
  });

  it('adds up credits and debits so that one period continues from the previous one', async () => {
    await post(topUp(100_000), gain(-30_000), gain(5_000), gain(-1_000));
    await on('2026-03-31', 1, 2);
    await on('2026-04-01', 3, 4);
    const march = { from: new Date('2026-03-01'), to: new Date('2026-04-01') };
    const april = { from: new Date('2026-04-01'), to: new Date('2026-05-01') };
    expect(await passbook.statement(clientId, march)).toEqual({
      opening: 0,
      moneyIn: 100_000,
      moneyOut: 30_000,
      closing: 70_000,
      entries: 2,
    });
    expect(await passbook.statement(clientId, april)).toEqual({
      opening: 70_000,
      moneyIn: 5_000,
      moneyOut: 1_000,
      closing: 74_000,
      entries: 2,
    });
  });

  it('counts an entry at the boundary in the period that starts there', async () => {
    await post(topUp(100_000), gain(700));
    await on('2026-03-30', 1);
    await on('2026-03-31', 2);
    const noon = new Date('2026-03-31T12:00:00Z');
    expect(await passbook.statement(clientId, { to: noon })).toMatchObject({ closing: 100_000, entries: 1 });
    expect(await passbook.statement(clientId, { from: noon })).toMatchObject({
      opening: 100_000,
      entries: 1,
    });
  });

  it('omits no entry between two periods when a later transaction commits first', async () => {
    await post(topUp(100_000), gain(1_000), gain(2_000));
    await test.fixtures.rewrite(
      `UPDATE wallet_entries SET created_at = CASE entry
         WHEN 1 THEN '2026-03-15'::timestamptz
         WHEN 2 THEN '2026-04-01 00:00:00.5Z' ELSE '2026-03-31 23:59:59.5Z' END
        WHERE client_id = $1`,
      [clientId],
    );
    const of = (from: string, to: string) =>
      passbook.statement(clientId, { from: new Date(from), to: new Date(to) });
    const [march, april] = [await of('2026-03-01', '2026-04-01'), await of('2026-04-01', '2026-05-01')];
    expect([march.entries + april.entries, march.closing]).toEqual([3, april.opening]);
    for (const { opening, moneyIn, moneyOut, closing } of [march, april])
      expect(opening + moneyIn - moneyOut).toBe(closing);
  });

  it('takes a payout for no spending, also when it failed and came back', async () => {
    const moved = { against: 'in_transit', amount: 20_000 } as const;
    await post(
      topUp(50_000),
      { ...moved, kind: 'payout', amount: -20_000, key: `payout:${++posted}` },
      { ...moved, kind: 'payout_failed', key: `payout-failed:${posted}` },
    );
    const { from, to } = periodOf(monthAt(Date.now(), 'UTC'), 'UTC');
    expect(await passbook.spentBetween(clientId, [from, to])).toEqual([0]);
  });

  it('takes a correction beside the payment of an order for no part of the order, in no sum', async () => {
    const service = <Service>(type: new (...args: never[]) => Service) =>
      test.app.get(type, { strict: false });
    const { sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10 });
    const store = await test.fixtures.store();
    ({ clientId } = store);
    const desk = orderDesk(test.app);
    const correct = (amount: string, reason: string) =>
      service(WalletService).adjust(clientId, amount, reason, 'test');
    const number = await test.place(store, [{ sku, quantity: 3 }]);
    await correct('1000', 'Opening');
    await desk.payFromWallet([number], 'test');
    // As much as the order and as its refund, in its name.
    await correct('-300', `Order paid again: ${number}`);
    await desk.cancel(number, 'test', { lines: ['1=1'], reason: 'sold out' });
    await correct('100', `Refund of ${number}`);
    const { entry: last } = (await passbook.newest(clientId, {}, undefined, 1))[0]!;
    await desk.pay(await test.place(store, [{ sku, quantity: 1 }]), 'test', { method: 'cheque' });

    const month = monthAt(Date.now(), 'Asia/Kolkata');
    const { from, to } = periodOf(month, 'Asia/Kolkata');
    expect(await passbook.spentBetween(clientId, [from, to])).toEqual([30_000 - 10_000 + 10_000]);
    const statement = await service(StatementsService).show(clientId, month);
    expect(
      statement.entries.map(({ what, amount, order_number: of }) => [what, amount, of !== null]),
    ).toEqual([
      ['Corrected by the wholesaler', 1_000, false],
      ['Order paid', -300, true],
      ['Corrected by the wholesaler', -300, false],
      ['Order refunded', 100, true],
      ['Corrected by the wholesaler', 100, false],
      ['Paid in for an order', 100, true],
      ['Order paid', -100, true],
    ]);
    const ofClient = ({ client_id: id }: { client_id: string | number }) => id === clientId;
    expect((await all(service(WalletBooks).balances(new Date('2100-01-01')))).filter(ofClient)).toMatchObject(
      [{ wallet: '600.00', paid_for_orders: '300.00' }],
    );
    const sold = await service(SalesService).soldBy('client', { clientId });
    expect(await all(sold.rows)).toMatchObject([{ paid: 400, refunded: 100, net: 300 }]);
    const vouchers = (await all(service(VouchersService).month(month))).filter((one) =>
      one.number.startsWith(`W${clientId}-`),
    );
    const ledger = vouchers[0]!.entries[0]!.ledger.name;
    expect(vouchers.map(({ type, entries: [own] }) => [type, own!.amount])).toEqual([
      ['Journal', -100_000],
      ['Journal', 30_000],
      ['Journal', -10_000],
      ['Receipt', -10_000],
    ]);
    // Two new names do not split its ledger.
    for (const name of ['Second name', 'Third name'])
      await test.pool.query('UPDATE clients SET name = $2 WHERE id = $1', [clientId, name]);
    const renamed = (await all(service(VouchersService).month(month))).filter((one) =>
      one.number.startsWith(`W${clientId}-`),
    );
    expect(new Set(renamed.map((one) => one.entries[0]!.ledger.name))).toEqual(new Set([ledger]));
    // Payments and refunds of orders do not count as another person's correction.
    expect(await service(WalletService).lastAdjustment(clientId)).toBe(last);
  });

  it('has money that is old on a day if it came more than 365 days before that day', async () => {
    await post(topUp(50_000), topUp(20_000));
    await on('2023-01-01', 1);
    await on('2024-06-01', 2);
    const books = test.app.get(WalletBooks, { strict: false });
    for (const [day, old] of [
      ['2024-06-02', '500.00'],
      ['2025-06-02', '700.00'],
    ] as const) {
      const rows = await all(books.balances(new Date(`${day}T12:00:00Z`)));
      const own = rows.find((row) => row.client_id === clientId);
      expect(own).toMatchObject({ wallet: '700.00', wallet_over_365_days: old });
    }
  });

  it('is exported as a whole, without formulas for spreadsheets', async () => {
    await post(...Array.from({ length: 1_100 }, () => gain(100)));
    await post(gain(-50, '=HYPERLINK("https://evil.example")'));
    const lines = (
      await all(
        csvText(
          PASSBOOK_COLUMNS,
          passbook.rows(clientId, {}, 'Asia/Kolkata', () => Promise.resolve(new Map())),
        ),
      )
    )
      .join('')
      .split('\r\n');
    expect(lines).toHaveLength(1_101 + 2);
    expect(lines[0]).toBe('entry,at,kind,amount,balance_after,order_number,store_order_id,payment_id,note');
    expect(lines[1]).toMatch(
      /^1101,2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d,adjustment,-0\.50,1099\.50,,,,"'=HYPERLINK\(""https:/,
    );
  });

  it('shows a client no entries of another client with the same entry numbers', async () => {
    await post(topUp(100_000), gain(5_000), gain(3_000));
    await on('2026-02-10', 1);
    await on('2026-02-11', 2);
    await on('2026-02-12', 3);
    ({ clientId } = await test.fixtures.store());
    await post(gain(700), gain(-200));
    await on('2026-02-11', 1);
    await on('2026-02-20', 2);
    const between = new Date('2026-02-15');

    expect(await passbook.newest(clientId, {}, undefined, 50)).toMatchObject([
      { amount: -200 },
      { amount: 700 },
    ]);
    expect(await test.app.get(WalletService, { strict: false }).funds(clientId)).toMatchObject({
      balance: 500,
    });
    expect(await passbook.since(clientId)).toEqual(new Date('2026-02-11T12:00:00Z'));
    expect(await passbook.statement(clientId, { to: between })).toEqual({
      opening: 0,
      moneyIn: 700,
      moneyOut: 0,
      closing: 700,
      entries: 1,
    });
    expect(await passbook.statement(clientId, { from: between })).toEqual({
      opening: 700,
      moneyIn: 0,
      moneyOut: 200,
      closing: 500,
      entries: 1,
    });
  });
});
