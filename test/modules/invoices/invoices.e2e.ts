import { StatementsService } from '../../../src/modules/payments/statements.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { GstReportService } from '../../../src/modules/invoices/gst-report.service.js';
import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { Database } from '../../../src/platform/database/database.js';
import { send } from '../../../src/modules/orders/actions/ship.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { dayAt, monthAt } from '../../../src/platform/time/time.js';
import { contradictions } from '../../support/books.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { MAHARASHTRA, PARCEL, setUpInvoicing } from '../../support/tax-documents.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { whileLocked } from '../../support/while-locked.js';

describe('Invoices', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  const early = makeBeforeAll(async () => {
    const { sku } = await test.fixtures.product();
    const number = await test.place(await test.fixtures.store(), [{ sku, quantity: 2 }]);
    const desk = orderDesk(test.app);
    await desk.pay(number, 'test', {});
    await desk.ship(number, 'test', PARCEL, ['1=1']);
    return { number };
  });
  const orders = setUpInvoicing(test);
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const importShipments = (rows: string[], heading = 'order_number,courier', options = {}) =>
    operator.import(
      operator.app.get(ParcelFilesService, { strict: false }).shipments,
      [heading, ...rows].join('\n'),
      options,
    );

  it('do not exist of parcels that left before the seller is set, nor where there is no such tax', async () => {
    await orders.refund(early.number, { lines: ['1=1'] }, 'broken');
    expect(await orders.documents(early.number)).toEqual([]);
    const abroad = await startTestApp({ tax: 'none' }, test.database);
    const number = await orders.paid(10);
    await orderDesk(abroad.app).ship(number, 'test', PARCEL);
    await abroad.close();
    expect(await orders.documents(number)).toEqual([]);
  });

  it('are an invoice for each parcel, with the delivery by the value of its goods', async () => {
    const number = await orders.paid([
      [orders.mug, 3],
      [orders.shirt, 2],
    ]);
    await orders.ship(number, '1=1', '2=2');
    await orders.ship(number);
    // A further box has no goods.
    await orders.desk.ship(number, 'test', { ...PARCEL, trackingNumber: 'BOX' }, []);
    expect(await orders.inWords(number)).toEqual([
      'parcel 1: 1 × line 1 118.00, 2 × line 2 420.00, delivery 7.62, delivery 27.13',
      'parcel 2: 2 × line 1 236.00, delivery 15.25',
    ]);
    expect((await orders.documents(number))[0]).toMatchObject({
      number: expect.stringMatching(/^INV-\d{4}-\d{7}$/),
      // 118 with 7.62 at 18 %, and 420 with 27.13 at 5 %.
      taxable: 532.29,
      cgst: 20.23,
      sgst: 20.23,
      igst: 0,
      facts: {
        seller: { name: 'Wholesale House', gstin: '29AAGCB7383J1Z4', state: '29' },
        client: { name: 'Asha Traders', gstin: null, address: '4, Residency Road', state: '29' },
        deliver_to: { name: 'Ravi Kumar', state: 'Karnataka', state_code: '29', country: 'India' },
        against: null,
      },
    });
  });

  it.each([
    [{ state: '29' }, 'Kerela', { place: '32', cgst: 0, igst: 25.63 }, 'Kerala'],
    [{ state: '27' }, 'KA', { place: '29', cgst: 12.81, igst: 0 }, 'Karnataka'],
    [MAHARASHTRA, 'KA', { place: '27', cgst: 0, igst: 25.63 }, 'Karnataka'],
  ])('for the client %j with goods for %s have the place and tax %j', async (client, to, supply, state) => {
    const number = await orders.paid(1, await test.fixtures.store(client));
    await test.fixtures.sql('UPDATE orders SET shipping_state = $2 WHERE order_number = $1', [number, to]);
    await orders.ship(number);
    expect(await orders.documents(number)).toMatchObject([{ ...supply, facts: { deliver_to: { state } } }]);
  });

  it('leave the delivery of exported goods to their invoice, and bill that of samples with the last parcel', async () => {
    const number = await orders.paid(10);
    await orders.desk.ship(number, 'test', PARCEL, ['1=1'], 'export under LUT');
    await orders.ship(number, '1=6');
    await orders.desk.ship(number, 'test', PARCEL, ['1=2'], 'sample');
    await orders.ship(number);
    expect(await orders.inWords(number)).toEqual([
      'parcel 2: 6 × line 1 708.00, delivery 30.00',
      'parcel 4: 1 × line 1 118.00, delivery 15.00',
    ]);
    const rows = [];
    for await (const row of test.app.get(WalletBooks, { strict: false }).balances(new Date('2100-01-01')))
      rows.push(row);
    // One exported unit with its delivery, and two samples without.
    const own = rows.find((row) => row.client_id === orders.store.clientId)!;
    expect(own.left_without_invoice).toBe('359.00');
  });

  it('debit the delivery of units that are cancelled after the last parcel, unless it was refunded', async () => {
    const buyer = await test.fixtures.store({ state: '29' });
    const number = await orders.paid(10, buyer);
    await orders.ship(number, '1=4');
    await orders.desk.cancel(number, 'test', { reason: 'out of stock' });
    const reason = 'The rest of the delivery charge: no further parcel bills it';
    expect(await orders.inWords(number)).toEqual([
      'parcel 1: 4 × line 1 472.00, delivery 20.00',
      `debit on invoice 1 (${reason}): delivery 30.00`,
    ]);
    const [invoice, debit] = await orders.documents(number);
    expect(debit).toMatchObject({ refund: null, code: '04', taxable: 25.44, cgst: 2.28, sgst: 2.28 });
    const { documents: listed } = await test.app
      .get(StatementsService, { strict: false })
      .show(buyer.clientId, monthAt(Date.now(), 'Asia/Kolkata'));
    expect(listed!.map((one) => one.number).toSorted()).toEqual([debit!.number, invoice!.number]);
    await orders.refund(number, { delivery: true }, 'late');
    expect((await orders.inWords(number)).at(-1)).toBe(
      'credit on invoice 1, refund 2 (late): delivery 50.00',
    );
    await test.fixtures.sql("UPDATE clients SET name = 'Right' WHERE id = $1", [buyer.clientId]);
    await orders.desk.undo(number, 'test', { action: 'reissue', reason: 'name' });
    expect((await orders.inWords(number)).slice(-3)).toEqual([
      'parcel 1, edition 2: 4 × line 1 472.00, delivery 20.00',
      'credit on invoice 1 (name): 4 × line 1 472.00',
      'credit on invoice 2, refund 2 (late): delivery 20.00',
    ]);
    const other = await orders.paid(10, buyer);
    await orders.ship(other, '1=4');
    await orders.refund(other, { delivery: true }, 'late');
    await orders.desk.cancel(other, 'test', { reason: 'out of stock' });
    expect(await orders.inWords(other)).toEqual([
      'parcel 1: 4 × line 1 472.00, delivery 20.00',
      'credit on invoice 1, refund 1 (late): delivery 20.00',
    ]);
  });

  it('are a tax invoice and a bill of supply for a registered client, and one document else', async () => {
    const products = await test.fixtures.products([
      { basePrice: '100.00', deliveryCharge: '30.00', hsn: '6912', gstRate: '18' },
      { basePrice: '50.00', deliveryCharge: '30.00', hsn: '0713', gstRate: '0' },
    ]);
    const treat = (treatment: string) =>
      test.fixtures.sql('UPDATE products SET gst_treatment = $1 WHERE sku = $2', [
        treatment,
        products[1]!.sku,
      ]);
    await treat('exempt');
    const goods = products.map(({ sku }): [string, number] => [sku, 2]);
    const number = await orders.paid(goods, await test.fixtures.store(MAHARASHTRA));
    await orders.ship(number, '2=1');
    await orders.ship(number);
    await orders.refund(number, { lines: ['1=1', '2=2'] }, 'broken');
    await orders.desk.undo(number, 'test', { action: 'withdraw', reason: 'a mistake' });
    await orders.ship(number);
    const invoices = (await orders.inWords(number)).filter((words) => words.startsWith('parcel'));
    expect(invoices).toEqual([
      'parcel 1: 1 × line 2 50.00, delivery 10.00',
      'parcel 2: 2 × line 1 200.00, delivery 40.00',
      'parcel 2, part 2: 1 × line 2 50.00, delivery 10.00',
      'parcel 2, edition 2: 2 × line 1 200.00, delivery 40.00',
      'parcel 2, part 2, edition 2: 1 × line 2 50.00, delivery 10.00',
    ]);
    const [, tax, bill, ...repeated] = (await orders.documents(number)).filter(
      ({ kind }) => kind === 'invoice',
    );
    expect(repeated.map(({ facts }) => facts.replaces)).toMatchObject([
      { number: tax!.number },
      { number: bill!.number },
    ]);
    await treat('non_gst');
    const other = await orders.shipped(goods);
    expect(await orders.documents(other)).toHaveLength(1);
    const { rows } = await test.pool.query(
      `SELECT DISTINCT gst_rate::int AS rate, gst_treatment AS treatment, order_number = $1 AS before
         FROM tax_document_items JOIN tax_documents USING (number)
        WHERE order_number IN ($1, $2) ORDER BY before DESC, rate`,
      [number, other],
    );
    expect(rows.map(({ rate, treatment }) => [rate, treatment])).toEqual([
      [0, 'exempt'],
      [18, 'taxable'],
      [0, 'non_gst'],
      [18, 'taxable'],
    ]);
  });

  it('refuse a parcel whose client or product lacks tax data, which can be refunded all the same', async () => {
    const { clientId, ...nowhere } = await test.fixtures.store({ name: 'Nowhere' });
    const { sku } = await test.fixtures.product();
    for (const [number, message] of [
      [
        await orders.paid(1, { clientId, ...nowhere }),
        `An invoice for Nowhere (client ${clientId}) needs its GSTIN or state, and billing address.`,
      ],
      [await orders.paid([[sku, 1]]), sku],
    ] as const) {
      const refusal = { code: 'conflict', message: expect.stringContaining(message) as string };
      await expect(orders.ship(number)).rejects.toMatchObject(refusal);
      expect((await orders.desk.show(number)).status).toBe('pending');
      expect(await orders.documents(number)).toEqual([]);
      await orders.refund(number, { amount: '10' }, 'late');
    }
  });

  describe('with rates that change', () => {
    const scheduleRate = (productId: number, from: string, rate: number, applied?: { replaced: number }) =>
      test.fixtures.sql(
        `WITH schedule AS (
                INSERT INTO price_schedules (from_at, actor, applied_at, closed_at)
                VALUES (now() + $2::interval, 'test', CASE WHEN $4::int > 0 THEN now() END,
                        CASE WHEN $4::int > 0 THEN now() END) RETURNING id)
         INSERT INTO scheduled_prices (schedule_id, number, product_id, is_rate, value, replaced, state)
         SELECT id, 1, $1, true, $3, $4, CASE WHEN $4::int > 0 THEN 'applied' ELSE 'waiting' END FROM schedule`,
        [productId, from, rate, applied?.replaced ?? null],
      );

    it('have the rate of their day, even before a job has written it', async () => {
      const { sku, id } = await test.fixtures.product({ hsn: '6912', gstRate: '12' });
      const number = await orders.paid([[sku, 3]]);
      await scheduleRate(id, '1 hour', 28);
      await orders.ship(number, '1=1');
      await scheduleRate(id, '-2 s', 18);
      await scheduleRate(id, '-1 s', 5);
      await orders.ship(number, '1=1');
      expect((await orders.documents(number)).map(({ items }) => items[0]!.rate)).toEqual([12, 5]);
    });

    it('are named if a corrected day has another rate', async () => {
      const { sku, id } = await test.fixtures.product({ hsn: '6912', gstRate: '18' });
      await scheduleRate(id, '-10 days', 18, { replaced: 12 });
      const number = await orders.paid([[sku, 3]]);
      await test.fixtures.age(24 * 50, number);
      await orders.ship(number, '1=1');
      await orders.ship(number, '1=1');
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
      const correct = async (shippedAt: Date, parcel?: number) => {
        await orders.desk.correct(number, 'test', { shippedAt }, parcel);
        return orders.desk.invoicesWithOtherRates(number, parcel);
      };
      const [first, second] = await orders.documents(number);
      expect(await correct(daysAgo(9))).toEqual([]);
      expect(await correct(daysAgo(11))).toEqual([second!.number]);
      expect(await correct(daysAgo(11), 1)).toEqual([first!.number]);
      await orders.desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'rate' });
      expect(await correct(daysAgo(12), 1)).toEqual([]);
      const invoices = (await orders.documents(number)).filter(({ kind }) => kind === 'invoice');
      expect(invoices.map(({ items }) => items[0]!.rate)).toEqual([18, 18, 12]);
    });

    it('of goods that left before have the rate of that day, and the return of their own date', async () => {
      const { sku, id } = await test.fixtures.product({ hsn: '6912', gstRate: '18' });
      await scheduleRate(id, '-10 days', 18, { replaced: 12 });
      const buyer = await test.fixtures.store(MAHARASHTRA);
      const number = await orders.paid([[sku, 3]], buyer);
      await test.fixtures.age(24 * 50, number);
      const leftAt = new Date(Date.now() - 45 * 86_400_000);
      await orders.desk.ship(number, 'test', { ...PARCEL, shippedAt: leftAt }, ['1=1']);
      await orders.ship(number, '1=1');
      await test.fixtures.sql("UPDATE clients SET name = 'Right' WHERE id = $1", [buyer.clientId]);
      await orders.desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'name' });
      const invoices = (await orders.documents(number)).filter(({ kind }) => kind === 'invoice');
      const left = dayAt(leftAt, 'Asia/Kolkata');
      expect(invoices.map(({ supplied, items }) => [supplied, items[0]!.rate])).toEqual([
        [left, 12],
        [null, 18],
        [left, 12],
      ]);
      const listed = async (month: string) => {
        const { files } = await test.app.get(GstReportService, { strict: false }).returnOf(month);
        const rows = files.find(({ name }) => name === 'b2b')!.rows.map((row) => row['Invoice Number']);
        return invoices.map((one) => rows.includes(one.number));
      };
      expect(await listed(left.slice(0, 7))).toEqual([false, false, false]);
      expect(await listed(monthAt(Date.now(), 'Asia/Kolkata'))).toEqual([true, true, true]);
    });
  });

  it('cannot be changed or deleted, even by the owner of the database', async () => {
    await orders.shipped(10);
    for (const statement of [
      `UPDATE tax_documents SET gross = 0`,
      'DELETE FROM tax_documents',
      'TRUNCATE tax_documents CASCADE',
      `UPDATE tax_document_items SET quantity = 1`,
      'DELETE FROM tax_document_items',
      'TRUNCATE tax_document_items',
      'DELETE FROM document_series',
      'UPDATE document_series SET last = last - 1',
    ])
      await expect(test.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    const copy = `SELECT (jsonb_populate_record(d, jsonb_build_object('parcel', 99, 'number',
                           left(number, 9) || lpad((last + 2)::text, 7, '0')))).*
                    FROM tax_documents d JOIN document_series USING (kind) WHERE kind = 'invoice' LIMIT 1`;
    const leap = test.pool.query(`INSERT INTO tax_documents ${copy}`);
    await expect(leap).rejects.toMatchObject({ code: '23514', message: expect.stringContaining('series') });
  });

  it('are issued one after the other: a second transaction waits for the first', async () => {
    const number = await orders.paid(10);
    const shipped = await whileLocked(
      test.pool,
      'SELECT FROM sellers FOR UPDATE',
      [],
      [() => orders.ship(number)],
    );
    expect(shipped).toMatchObject([{ status: 'fulfilled' }]);
    expect(await orders.documents(number)).toHaveLength(1);
  });

  it('have no gap in their numbers when many leave at once through two nodes and some fail', async () => {
    const series = async () => {
      const { rows } = await test.pool.query<{ last: number; isNewest: boolean }>(
        `SELECT last, issued_at = (SELECT max(issued_at) FROM tax_documents WHERE kind = 'invoice') AS "isNewest"
           FROM document_series WHERE kind = 'invoice'`,
      );
      return rows[0]!;
    };
    const before = await series();
    const numbers = await Promise.all(Array.from({ length: 12 }, () => orders.paid(1)));
    const desks = [test.app, operator.app].map((app) => orderDesk(app));
    const database = test.app.get(Database, { strict: false });
    const lifecycle = test.app.get(OrderLifecycleService, { strict: false });
    // The last step of a transaction runs even if others wait for it; then the whole is rolled back.
    const rolledBack = (orderNumber: string) =>
      database.transaction(async (transaction) => {
        const key = { clientId: orders.store.clientId, orderNumber };
        await lifecycle.applyChangeWithin(transaction, key, send(PARCEL), 'test');
        transaction.beforeCommit(() => Promise.reject(new Error('rolled back')));
      });
    await Promise.allSettled(
      numbers.map((number, n) =>
        n % 3 === 0 ? rolledBack(number) : desks[n % 2]!.ship(number, 'test', PARCEL),
      ),
    );
    const issued = await Promise.all(numbers.map(async (number) => (await orders.documents(number)).length));
    expect(issued).toEqual(numbers.map((_, n) => (n % 3 === 0 ? 0 : 1)));
    expect(await series()).toEqual({ last: before.last + 8, isNewest: true });
  });

  describe('of a file', () => {
    it('are those of each order and client that it ships', async () => {
      const bela = await test.fixtures.store({ name: 'Bela Stores', ...MAHARASHTRA });
      const numbers: string[] = [];
      for (const buyer of [orders.store, bela]) {
        const number = await orders.paid(4, buyer);
        await orders.ship(number, '1=1');
        await orders.refund(number, { lines: ['1=2'] }, `too dear in ${buyer.clientId}`);
        numbers.push(number);
      }
      const rows = numbers.map((number) => `${number},Delhivery`);
      expect(await importShipments(rows)).toMatchObject({ updated: 2, failed: [] });
      for (const [at, { clientId }] of [orders.store, bela].entries()) {
        expect(await orders.inWords(numbers[at]!)).toEqual([
          'parcel 1: 1 × line 1 118.00, delivery 12.50',
          `credit on invoice 1, refund 1 (too dear in ${clientId}): 1 × line 1 118.00`,
          'parcel 2: 3 × line 1 354.00, delivery 37.50',
          `credit on invoice 2, refund 1 (too dear in ${clientId}): 1 × line 1 118.00`,
        ]);
        const [place, name] = [
          ['29', 'Asha Traders'],
          ['27', 'Bela Stores'],
        ][at]!;
        const documents = await orders.documents(numbers[at]!);
        expect(documents).toMatchObject(documents.map(() => ({ place, facts: { client: { name } } })));
      }
    });

    it('leave out rows that cannot be billed', async () => {
      const { sku } = await test.fixtures.product();
      const [good, bad] = [await orders.paid(1), await orders.paid([[sku, 1]])];
      const rows = [`${bad},Delhivery`, `${good},Delhivery`];
      const failed = [{ line: 2, message: expect.stringContaining(sku) as string }];
      const whole = await importShipments(rows, undefined, { allOrNothing: true });
      expect(whole).toMatchObject({ updated: 0, failed });
      expect(await orders.documents(good)).toEqual([]);
      expect(await importShipments(rows)).toMatchObject({ updated: 1, failed });
      expect([await orders.documents(good), await orders.documents(bad)]).toMatchObject([
        [{ parcel: 1 }],
        [],
      ]);
    });

    it('are not issued for a row that is refused after an earlier row of its order', async () => {
      const { sku } = await test.fixtures.product();
      const number = await orders.paid([
        [orders.shirt, 2],
        [sku, 1],
      ]);
      const rows = ['1=1', '2=1', '1=1'].map((lines, n) => `${number},Delhivery,T${n},${lines}`);
      const heading = 'order_number,courier,tracking_number,lines';
      expect(await importShipments(rows, heading)).toMatchObject({ updated: 2, failed: [{ line: 3 }] });
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 1 × line 1 210.00',
        'parcel 2: 1 × line 1 210.00',
      ]);
    });
  });

  it('stand beside receipt vouchers for top-ups, once the seller wants them', async () => {
    await test.fixtures.seller({ receiptVouchers: true });
    const number = await orders.paid(1);
    await test.fixtures.seller();
    const { rows } = await test.pool.query(
      `SELECT number, payment_key AS key, order_number, gross::float8, taxable::float8
         FROM tax_documents WHERE kind = 'receipt_voucher'`,
    );
    const name = expect.stringMatching(/^RV-\d{4}-0000001$/) as string;
    const voucher = { number: name, key: `for:${number}`, order_number: number, gross: 168, taxable: 168 };
    expect(rows).toEqual([voucher]);
  });
});
