import { BOOK_CHECKS } from '../../../src/modules/payments/wallet-books.repository.js';
import { orderBody } from '../../support/order-body.js';
import { setUpTestApp } from '../../support/test-app.js';

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
];

describe('The check of the books', () => {
  const test = setUpTestApp();

  beforeAll(async () => {
    const store = await test.fixtures.store();
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    for (const name of ['PAID', 'REFUNDED']) {
      const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
      await test.fixtures.rewrite(`UPDATE orders SET order_number = '${name}' WHERE order_number = $1`, [
        (body as { order_number: string }).order_number,
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
});
