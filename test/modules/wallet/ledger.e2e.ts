import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import type { Payment } from '../../../src/modules/orders/entities/payment.entity.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { BOOK_CHECKS, WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { adjustment, orderPayment, type Posting } from '../../../src/modules/wallet/rules/posting.js';
import { AlreadyPostedError } from '../../../src/modules/wallet/wallet.repository.js';
import { type Funds, WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Database, type Transaction } from '../../../src/platform/database/database.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { readable } from '../../support/page-text.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { signIn } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The ledger', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let database: Database;
  let ledger: WalletService;
  let wallets: WalletService;

  beforeAll(async () => {
    database = test.app.get(Database);
    ledger = test.app.get(WalletService, { strict: false });
    wallets = test.app.get(WalletService, { strict: false });
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  const client = async () => (await test.fixtures.store()).clientId;
  /** Posts again when the busy service answers "unavailable": the key prevents a second entry. */
  const post = async (clientId: number, ...postings: Posting[]): Promise<number> => {
    for (;;) {
      try {
        return await database.transaction((transaction: Transaction) =>
          ledger.post(transaction, clientId, 'test', postings),
        );
      } catch (error) {
        if ((error as { code?: string }).code !== 'unavailable') throw error;
      }
    }
  };
  const balanceOf = async (clientId: number) => (await wallets.show(clientId)).balance;
  const ended = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) =>
      result.status === 'fulfilled' ? 'posted' : (result.reason as Error).constructor.name,
    );

  it('has an empty wallet for every client', async () => {
    expect(await wallets.show(await client())).toMatchObject({ balance: 0 });
  });

  it('posts several entries at once, in the given order', async () => {
    await post(await client(), adjustment(100, 'into another wallet', 'UTR0'));
    const id = await client();
    const balance = await post(
      id,
      adjustment(50_000, 'paid in', 'UTR1'),
      adjustment(-12_550, 'a correction', 'a'),
    );
    expect(balance).toBe(37_450);
    const lines = [];
    for await (const line of await wallets.history(id)) lines.push(line);
    expect(lines).toMatchObject([
      {
        entry: 2,
        kind: 'adjustment',
        against: 'adjustments',
        amount: -125.5,
        balance_after: 374.5,
        note: 'a correction',
      },
      { entry: 1, kind: 'adjustment', amount: 500, balance_after: 500, note: 'paid in', actor: 'test' },
    ]);
  });

  it('refuses all entries when the balance would become negative in between', async () => {
    const id = await client();
    await post(id, adjustment(10_000, 'paid in', 'UTR2'));
    const refused = post(id, adjustment(-10_001, 'too much', 'b'), adjustment(50_000, 'paid in', 'UTR3'));
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_balance', facts: { balance: 100 } });
    expect(await balanceOf(id)).toBe(100);
  });

  it('posts an entry once that is delivered a hundred times at once', async () => {
    const id = await client();
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => post(id, adjustment(25_000, 'paid in', 'UTR4'))),
    );
    const outcomes = ended(results);
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === AlreadyPostedError.name)).toHaveLength(99);
    expect(await balanceOf(id)).toBe(250);
  });

  it('lets exactly 50 of 200 simultaneous debits of 10.00 pass with a balance of 500.00', async () => {
    const id = await client();
    await post(id, adjustment(50_000, 'paid in', 'UTR5'));
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => post(id, adjustment(-1_000, 'a race', `race-${n}`))),
    );
    expect(ended(results).filter((outcome) => outcome === 'posted')).toHaveLength(50);
    expect(await balanceOf(id)).toBe(0);
  });

  it('rolls an entry back with its transaction', async () => {
    const id = await client();
    const failing = database.transaction(async (transaction) => {
      await ledger.post(transaction, id, 'test', [adjustment(10_000, 'paid in', 'UTR6')]);
      throw new Error('something else went wrong');
    });
    await expect(failing).rejects.toThrow('something else');
    expect(await balanceOf(id)).toBe(0);
    expect(await post(id, adjustment(10_000, 'paid in', 'UTR6'))).toBe(10_000);
  });

  it('finds an order that was paid with a wrong amount', async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product({ basePrice: '80.00' });
    const number = await test.place(store, [{ sku, quantity: 1 }]);
    await post(store.clientId, adjustment(10_000, 'paid in', 'UTR7'), orderPayment(number, 7_900));
    const found = await test.app.get(WalletBooks, { strict: false }).check();
    expect(found).toMatchObject([{ what: expect.stringContaining('payment of an order differs') as string }]);
    await test.fixtures.sql(`UPDATE orders SET status = 'pending' WHERE order_number = $1`, [number]);
    await test.fixtures.rewrite(
      `UPDATE orders SET payment_status = 'paid', subtotal = 79, total = 79 WHERE order_number = $1`,
      [number],
    );
  });

  describe('in the database', () => {
    const refused = async (sql: string, code: string) =>
      expect(test.pool.query(sql)).rejects.toMatchObject({ code });

    it.each([
      ['changed', `UPDATE wallet_entries SET amount = 1`],
      ['deleted', `DELETE FROM wallet_entries`],
      ['emptied', `TRUNCATE wallet_entries`],
    ])('refuses an entry to be %s', async (_, sql) => {
      await post(await client(), adjustment(100, 'paid in', 'UTR8'));
      await refused(sql, '42501');
    });

    it('refuses a balance without its entry, and an entry without its balance', async () => {
      const id = await client();
      await post(id, adjustment(100, 'paid in', 'UTR9'));
      await refused(`UPDATE wallets SET balance = balance + 1 WHERE client_id = ${id}`, '23514');
      await refused(`UPDATE wallets SET balance = -1 WHERE client_id = ${id}`, '23514');
      const insert = (entry: number, balance: number) =>
        `INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, actor)
         VALUES (${id}, ${entry}, 'top_up', 'bank', 1, ${balance}, 'k${entry}', 'test')`;
      await refused(insert(3, 3), '23514');
      await refused(insert(2, 3), '23514');
      await refused(insert(2, 2), '23514');
    });
  });

  afterAll(endEverything);
});

/**
 * A complete wallet: a bank transfer with its receipt, a gateway payment, an order that was paid, shipped and
 * invoiced, a refunded order and a pending gateway refund.
 */
const IN_ORDER = `
  UPDATE orders SET status = 'shipped', payment_status = 'paid', paid_at = now(), courier = 'Delhivery',
                    shipped_at = now()
   WHERE order_number = 'PAID';
  UPDATE order_items SET order_number = 'PAID', shipped = 1 WHERE ctid = (SELECT min(ctid) FROM order_items);
  INSERT INTO parcels (client_id, order_number, parcel, courier, shipped_at, recorded_at, actor)
  SELECT id, 'PAID', 1, 'Delhivery', now(), now(), 'test' FROM clients;
  INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
  SELECT id, 'PAID', 1, 1, 1 FROM clients;
  INSERT INTO document_series (kind, year, last) VALUES ('invoice', '2627', 1), ('receipt_voucher', '2627', 1);
  INSERT INTO tax_documents (number, kind, issued_at, issued_on, client_id, order_number, parcel, payment_key,
                             place_of_supply, gross, taxable, cgst, sgst, igst, facts)
  SELECT d.number, kind, '2026-04-01 00:00+05:30', '2026-04-01', id, order_number, parcel, payment_key, '29',
         gross, taxable, 0, 0, gross - taxable, '{}'
    FROM clients, (VALUES
      ('INV-2627-0000001', 'invoice', 'PAID', 1, NULL, 100, 84.75),
      ('RV-2627-0000001', 'receipt_voucher', NULL, NULL, 'bank:UTR0001', 1000, 1000)
    ) AS d (number, kind, order_number, parcel, payment_key, gross, taxable);
  INSERT INTO tax_document_items (number, position, line, description, sku, hsn, unit, quantity, unit_price,
                                  gst_rate, gross, taxable, cgst, sgst, igst)
  SELECT number, 1, parcel, '', '', '', '', 1, gross, 0, gross, taxable, 0, 0, igst FROM tax_documents;
  UPDATE orders SET status = 'cancelled', cancel_reason = 'by_store', payment_status = 'refunded',
                    paid_at = now(), refunded_amount = 100
   WHERE order_number = 'REFUNDED';
  INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key, actor, refunded_at)
  SELECT id, 'REFUNDED', 1, 'cancelled', 100, 'by_store', 'cancelled', 'test', now() FROM clients;
  UPDATE unpaid_totals SET unpaid_orders = unpaid_orders - 2, unpaid_value = unpaid_value - 200;
  INSERT INTO bank_transfers (client_id, amount, utr, status, announced_by, decided_by, decided_at)
  SELECT id, 1000, 'UTR0001', 'confirmed', 'test', 'test', now() FROM clients;
  INSERT INTO payments
    (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor, paid_at)
  SELECT id, '00000000-0000-4000-8000-000000000001', 'sandbox', 'order_1', 500, 'INR', 'paid', 'test', now()
    FROM clients;
  INSERT INTO gateway_refunds (client_id, refund_id, payment_id, gateway_payment_id, amount, status, actor)
  SELECT id, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'pay_1', 200, 'pending', 'test'
    FROM clients;
  INSERT INTO wallet_entries
    (client_id, entry, kind, against, amount, balance_after, key, order_number, payment_id, actor)
  SELECT id, e.* FROM clients, (VALUES
    (1, 'top_up', 'bank', 1000, 1000, 'bank:UTR0001', NULL, NULL::uuid, 'test'),
    (2, 'order_payment', 'sales', -100, 900, 'order:PAID', 'PAID', NULL, 'test'),
    (3, 'order_payment', 'sales', -100, 800, 'order:REFUNDED', 'REFUNDED', NULL, 'test'),
    (4, 'order_refund', 'sales', 100, 900, 'refund:REFUNDED:1', 'REFUNDED', NULL, 'test'),
    (5, 'top_up', 'gateway', 500, 1400, 'payment:1', NULL, '00000000-0000-4000-8000-000000000001', 'test'),
    (6, 'payout', 'in_transit', -200, 1200, 'payout:1', NULL, '00000000-0000-4000-8000-000000000001', 'test')
  ) AS e;
  UPDATE wallets SET balance = 1200, entries = 6`;

const entry = (number: number, change: string) =>
  `UPDATE wallet_entries SET ${change} WHERE entry = ${number}`;
const gone = (number: number) => `DELETE FROM wallet_entries WHERE entry = ${number}`;

/** A refund voucher of the payout. */
const refundVoucher = (gross: number, returned: number) => `
  UPDATE document_series SET kind = 'refund_voucher' WHERE kind = 'receipt_voucher';
  INSERT INTO tax_documents (number, kind, issued_at, issued_on, client_id, payment_key, place_of_supply, gross,
                             taxable, cgst, sgst, igst, facts)
  SELECT 'RF-2627-0000001', 'refund_voucher', issued_at, issued_on, client_id, 'payout:1', '29', ${gross}, ${gross},
         0, 0, 0, '{"returns": [{"number": "RV-2627-0000001", "amount": "${returned}.00"}]}'
    FROM tax_documents WHERE kind = 'receipt_voucher'`;

/** Takes back so much of the refund. */
const takenBack = (amount: number) => `
  INSERT INTO order_refunds (client_id, order_number, refund, kind, takes_back, amount, reason, key, actor,
                             refunded_at)
  SELECT client_id, order_number, 2, 'taken_back', 1, -${amount}, 'x', 'back', 'test', now()
    FROM order_refunds`;

const TAKEN_BY_HAND =
  'corrections of the wallet name an order and take money, so a refund may lack its debit note';

/** A correction by hand, and an order with a refund of this kind and the number that it may name. */
const corrected = (amount: number, note: string, kind = 'amount') => `
  UPDATE orders SET order_number = 'WO-20261120-7GK2M-Q9XW4', status = 'shipped', cancel_reason = NULL,
                    cancelled_at = NULL, courier = 'DTDC', shipped_at = now()
   WHERE order_number = 'REFUNDED';
  UPDATE order_refunds SET order_number = 'WO-20261120-7GK2M-Q9XW4', kind = '${kind}';
  UPDATE wallet_entries SET kind = 'adjustment', amount = ${amount}, note = '${note}' WHERE entry = 6`;

/** A credit note of this amount for the invoice. */
const credit = (amount: number) => `
  INSERT INTO document_series (kind, year, last) VALUES ('credit_note', '2627', 1);
  INSERT INTO tax_documents SELECT (d).* FROM (
    SELECT jsonb_populate_record(d, '{"number": "CN-2627-0000001", "kind": "credit_note", "parcel": null,
             "against": "INV-2627-0000001", "gross": ${amount}, "taxable": ${amount}, "igst": 0}') AS d
      FROM tax_documents d WHERE kind = 'invoice') AS made;
  INSERT INTO tax_document_items SELECT (i).* FROM (
    SELECT jsonb_populate_record(i, '{"number": "CN-2627-0000001", "gross": ${amount}, "taxable": ${amount},
             "igst": 0}') AS i
      FROM tax_document_items i WHERE line = 1) AS made`;

/**
 * Changes that a manual edit or a partly restored backup could leave behind, each with the finding that the
 * check must report.
 */
const WRONG: [what: string, done: string][] = [
  ['the balance differs from the sum of its entries', 'UPDATE wallets SET balance = 1200.01'],
  ['the balance differs from the sum of its entries', 'DELETE FROM wallet_entries'],
  ['the reserved amount differs from the open payments', 'UPDATE wallets SET reserved = 0.01'],
  [
    'the reserved amount differs from the open payments',
    `UPDATE payments SET status = 'open', from_wallet = 1`,
  ],
  ['entries are missing or too many', gone(6)],
  ['entries are missing or too many', gone(3)],
  ['entries are missing or too many', entry(6, 'entry = 7')],
  ['entries are missing or too many', 'DELETE FROM wallet_entries'],
  ['the balance after an entry is wrong', entry(3, 'balance_after = 801')],
  ['the payment of an order differs from its total', entry(2, 'amount = -99')],
  [
    'the payment of an order differs from its total',
    `UPDATE orders SET payment_status = 'unpaid' WHERE order_number = 'PAID'`,
  ],
  [
    'an undone payment is not in the wallet with the payment that it undoes',
    `UPDATE orders SET payments_undone = 1 WHERE order_number = 'PAID'`,
  ],
  ['an order is paid, but its payment is not in the wallet', gone(2)],
  ['an order is paid, but its payment is not in the wallet', entry(2, `kind = 'adjustment'`)],
  [
    'a refund of an order is not in the wallet, or in the wallet but not with its order',
    entry(4, 'amount = 99'),
  ],
  ['a refund of an order is not in the wallet, or in the wallet but not with its order', gone(4)],
  [
    'a refund of an order is not in the wallet, or in the wallet but not with its order',
    'DELETE FROM order_refunds',
  ],
  [
    'the refunded amount of an order differs from its refunds',
    `UPDATE orders SET payment_status = 'paid' WHERE order_number = 'REFUNDED'`,
  ],
  ['the refunded amount of an order differs from its refunds', 'UPDATE order_refunds SET amount = 99'],
  ['the units of a line differ from its parcels, refunds and returns', 'UPDATE order_items SET shipped = 1'],
  [
    'the units of a line differ from its parcels, refunds and returns',
    `INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, amount)
     SELECT client_id, order_number, 1, 1, 1, 0 FROM order_items LIMIT 1`,
  ],
  ['more of a refund is taken back than it paid', takenBack(100.01)],
  [TAKEN_BY_HAND, corrected(-0.01, 'refund of wo 20261120-7GK2MQ9XW4')],
  ['a gateway payment is paid but not in the wallet, or in the wallet but not paid', gone(5)],
  [
    'a gateway payment is paid but not in the wallet, or in the wallet but not paid',
    `UPDATE payments SET status = 'given_up'`,
  ],
  ['a top-up differs from its gateway payment', 'UPDATE payments SET amount = 499'],
  [
    'the amount in transit differs from the refunds at the gateway',
    'UPDATE gateway_refunds SET amount = 199',
  ],
  [
    'the amount in transit differs from the refunds at the gateway',
    `UPDATE gateway_refunds SET status = 'failed'`,
  ],
  ['the amount in transit differs from the refunds at the gateway', 'DELETE FROM gateway_refunds'],
  ['the amount in transit differs from the refunds at the gateway', gone(6)],
  ['refunds exceed their gateway payment', 'UPDATE gateway_refunds SET amount = 501'],
  ['refunds exceed their gateway payment', gone(5)],
  [
    'a transfer is confirmed but not in the wallet, or in the wallet but not confirmed',
    `UPDATE bank_transfers SET status = 'announced', decided_at = NULL`,
  ],
  ['a transfer is confirmed but not in the wallet, or in the wallet but not confirmed', gone(1)],
  [
    'a transfer is confirmed but not in the wallet, or in the wallet but not confirmed',
    'UPDATE bank_transfers SET amount = 999',
  ],
  [
    'the tax that a client deducted from a transfer differs from its entry in the wallet',
    'UPDATE bank_transfers SET tds = 1',
  ],
  [
    'the tax that a client deducted from a transfer differs from its entry in the wallet',
    entry(1, "against = 'tds'"),
  ],
  ["a client's unpaid total differs from its unpaid orders", 'UPDATE unpaid_totals SET unpaid_orders = 1'],
  ["a client's unpaid total differs from its unpaid orders", 'UPDATE unpaid_totals SET unpaid_value = 1'],
  ["a client's unpaid total differs from its unpaid orders", 'DELETE FROM unpaid_totals'],
  ['the numbers of a series of documents have a gap', 'UPDATE document_series SET last = 2'],
  ['the numbers of a series of documents have a gap', 'DELETE FROM document_series'],
  [
    'the numbers of a series of documents have a gap',
    `UPDATE tax_documents SET number = 'INV-2627-0000002' WHERE kind = 'invoice'`,
  ],
  [
    'the numbers of a series of documents have a gap',
    `UPDATE document_series SET skipped = 1; DELETE FROM tax_documents WHERE kind = 'receipt_voucher'`,
  ],
  ['the numbers of a series of documents have a gap', `DELETE FROM tax_documents WHERE kind = 'invoice'`],
  [
    'a later number has an earlier time, or another financial year',
    `UPDATE tax_documents SET issued_at = issued_at - interval '1 ms'`,
  ],
  [
    'a later number has an earlier time, or another financial year',
    `UPDATE tax_documents SET issued_at = '2026-03-31 23:59+05:30', issued_on = '2026-03-31'`,
  ],
  [
    'a later number has an earlier time, or another financial year',
    `UPDATE tax_documents SET number = 'INV-2627-0000002' WHERE kind = 'invoice';
     ${credit(1)};
     UPDATE tax_documents SET number = 'INV-2627-0000003', kind = 'invoice', parcel = 2, against = NULL,
                              issued_at = issued_at - interval '1 s'
      WHERE kind = 'credit_note'`,
  ],
  [
    'the items of a document do not add up to it',
    'UPDATE tax_document_items SET gross = 101, taxable = 101, igst = 0',
  ],
  ['the items of a document do not add up to it', 'DELETE FROM tax_document_items'],
  ['an invoice differs from its parcel', 'UPDATE parcel_items SET quantity = 2'],
  ['an invoice differs from its parcel', 'UPDATE tax_document_items SET unit_price = 99'],
  ['an invoice differs from its parcel', 'DELETE FROM parcel_items'],
  ['more of an invoice is credited than it bills, or more is debited than was credited', credit(101)],
  [
    'more of an invoice is credited than it bills, or more is debited than was credited',
    credit(1).replaceAll('credit_note', 'debit_note').replaceAll('CN-', 'DN-'),
  ],
  ['the invoices and notes of an order differ from what it cost in the end', credit(1)],
  [
    'the invoices and notes of an order differ from what it cost in the end',
    `UPDATE orders SET refunded_amount = 1 WHERE order_number = 'PAID'`,
  ],
  ['a receipt voucher differs from its top-up', gone(1)],
  ['a receipt voucher differs from its top-up', entry(1, 'amount = 999')],
  [
    'a refund voucher exceeds its payout, or differs from the receipts that it returns',
    refundVoucher(201, 201),
  ],
  [
    'a refund voucher exceeds its payout, or differs from the receipts that it returns',
    refundVoucher(200, 199),
  ],
  ['more of a receipt voucher is paid back than it confirms', refundVoucher(200, 1_001)],
];

describe('The check of the books', () => {
  const test = setUpTestApp();

  beforeAll(async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    for (const name of ['PAID', 'REFUNDED']) {
      const number = await test.place(store, [{ sku, quantity: 1 }]);
      await test.fixtures.rewrite(`UPDATE orders SET order_number = '${name}' WHERE order_number = $1`, [
        number,
      ]);
    }
  });

  /** Returns the findings after a change, and rolls the change back. */
  const found = async (done: string): Promise<string[]> => {
    const client = await test.pool.connect();
    try {
      await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${IN_ORDER}; ${done}`);
      const contradicted = [];
      for (const [what, text] of Object.entries(BOOK_CHECKS))
        if ((await client.query(text)).rowCount! > 0) contradicted.push(what);
      return contradicted;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };

  it('finds nothing when everything is booked once', async () => {
    expect(await found('SELECT')).toEqual([]);
    expect(await found('UPDATE document_series SET last = 3, skipped = 2')).toEqual([]);
  });

  it.each(WRONG)('reports that %s: %s', async (what, done) => {
    expect(await found(done)).toContain(what);
  });

  it('has a test for each of its findings', () => {
    expect([...new Set(WRONG.map(([what]) => what))]).toEqual(Object.keys(BOOK_CHECKS));
  });

  afterAll(endEverything);
});

/** Three orders of 100.00 with 250.00 in the wallet: the gateway charges 50.00, and 250.00 is reserved. */
describe("The wallet's part of an open payment", () => {
  const test = setUpTestApp();
  let browser: SandboxBrowser;
  let sku: string;
  let store: Store;
  let buyer: Buyer;
  let orders: string[];
  let payment: Payment;

  beforeAll(async () => {
    browser = new SandboxBrowser(test);
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    buyer = await Buyer.of(test, store.clientId);
    await fill('250');
    orders = [await place(), await place(), await place()];
    payment = (await buyer.pay(...orders))!;
  });
  afterEach(async () => expect(await service(WalletBooks).check()).toEqual([]));

  const service = <Service>(type: new (...args: never[]) => Service): Service =>
    test.app.get(type, { strict: false });
  const funds = (): Promise<Funds> => service(WalletService).funds(store.clientId);
  const fill = (amount: string) =>
    service(WalletService).adjust(store.clientId, amount, 'for a test', 'test');

  const place = () => test.place(store, [{ sku, quantity: 1 }]);

  async function paidOf(numbers: string[]): Promise<number> {
    const { rows } = await test.pool.query<{ paid: number }>(
      `SELECT count(*)::int AS paid FROM orders WHERE order_number = ANY ($1) AND payment_status = 'paid'`,
      [numbers],
    );
    return rows[0]!.paid;
  }

  it('is reserved, and pays all of its orders when the payment arrives', async () => {
    expect(payment.amount).toBe('50.00');
    expect(await funds()).toEqual({ balance: 25_000, reserved: 25_000, available: 0 });
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    expect(await paidOf(orders)).toBe(3);
    expect(await funds()).toEqual({ balance: 0, reserved: 0, available: 0 });
  });

  it('is not offered for another order, which the gateway charges in full', async () => {
    const other = await place();
    expect(await buyer.pay(other)).toMatchObject({ amount: '100.00', fromWallet: '0.00' });
    expect(await funds()).toMatchObject({ reserved: 25_000 });
  });

  it('cannot be spent by the wholesaler, who sees the reserved amount', async () => {
    await expect(fill('-0.01')).rejects.toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringContaining('250.00 is reserved for open payments') as string,
      facts: { balance: 250, reserved: 250, needed: 0.01 },
    });
    await fill('10');
    await fill('-10');
    expect(await funds()).toMatchObject({ balance: 25_000, reserved: 25_000 });
  });

  it('is not spent by auto-pay', async () => {
    await service(AutoPayService).set(store.clientId, { enabled: true }, 'test');
    const later = await place();
    await fill('99.99');
    await service(AutoPayJobService).runSoon();
    expect(await paidOf([later])).toBe(0);
    await fill('0.01');
    await service(AutoPayJobService).runSoon();
    expect(await paidOf([later])).toBe(1);
    expect(await funds()).toMatchObject({ balance: 25_000, reserved: 25_000 });
  });

  it('is free again when the payment is given up, and stays reserved for the other client', async () => {
    const other = await test.fixtures.store();
    await service(WalletService).adjust(other.clientId, '50', 'for a test', 'test');
    await (await Buyer.of(test, other.clientId)).pay(await test.place(other, [{ sku, quantity: 1 }]));
    await buyer.giveUp(payment.paymentId);
    expect(await funds()).toEqual({ balance: 25_000, reserved: 0, available: 25_000 });
    expect(await service(WalletService).funds(other.clientId)).toMatchObject({ reserved: 5_000 });
  });

  it('is free again when none of its orders waits for payment any more', async () => {
    for (const number of orders.slice(1))
      await test.post(store, `/api/orders/${number}/cancel`, {}).expect(200);
    const check = async () => {
      await test.fixtures.sql('UPDATE payments SET next_check_at = now() WHERE payment_id = $1', [
        payment.paymentId,
      ]);
      await service(ReconcilerService).runSoon();
      return funds();
    };
    expect(await check()).toMatchObject({ reserved: 25_000 });
    await test.post(store, `/api/orders/${orders[0]!}/cancel`, {}).expect(200);
    expect(await check()).toEqual({ balance: 25_000, reserved: 0, available: 25_000 });
  });

  it('is not used twice when the money of a given up payment arrives', async () => {
    const back = await browser.press(payment, 'webhook_lost');
    await test.fixtures.sql(`UPDATE payments SET status = 'given_up' WHERE payment_id = $1`, [
      payment.paymentId,
    ]);
    const repeated = (await buyer.pay(orders[0]!, orders[1]!, await place()))!;
    expect(repeated).toMatchObject({ amount: '50.00', fromWallet: '250.00' });
    await browser.comeBack(back);
    // 50.00 arrived, which is enough for none of its orders.
    expect(await paidOf(orders)).toBe(0);
    expect(await funds()).toEqual({ balance: 30_000, reserved: 25_000, available: 5_000 });
  });

  it('is reserved once by two payments in the same moment', async () => {
    await buyer.giveUp(payment.paymentId);
    const second = await Buyer.of(test, store.clientId);
    const started = await Promise.allSettled([
      buyer.pay(orders[0]!, orders[1]!, orders[2]!),
      second.pay(await place(), await place(), await place()),
    ]);
    const charges = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value!.fromWallet] : []));
    const refused = started.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // The slower one was shown an amount that is gone.
    for (const reason of refused) expect(reason).toMatchObject({ code: 'total_changed' });
    expect(charges).toContain('250.00');
    expect(charges.filter((part) => part !== '0.00')).toHaveLength(1);
    expect(await funds()).toEqual({ balance: 25_000, reserved: 25_000, available: 0 });
  });

  it('is shown on Home, in the wallet and before the next payment', async () => {
    const { cookie } = await signIn(test, store.clientId);
    const read = async (path: string) =>
      readable(await (await fetch(`${test.url}${path}`, { headers: { Cookie: cookie } })).text());
    expect(await read('/dashboard')).toContain('₹250.00 reserved for open payments');
    expect(await read('/dashboard/wallet')).toContain('₹250.00 reserved for open payments');
    expect(await read(`/dashboard/pay?order=${await place()}`)).toContain(
      'Wallet now ₹250.00 Reserved for open payments ₹250.00 Through the gateway ₹100.00 ' +
        'Wallet afterwards ₹250.00',
    );
  });

  it('cannot be exceeded or changed by the service', async () => {
    const change = (sql: string) => test.pool.query(sql, [store.clientId]);
    await expect(change('UPDATE wallets SET reserved = 250.01 WHERE client_id = $1')).rejects.toThrow(
      'wallets_reserved_within_balance',
    );
    await expect(change('UPDATE payments SET from_wallet = 1 WHERE client_id = $1')).rejects.toThrow(
      'never changed',
    );
  });
});
