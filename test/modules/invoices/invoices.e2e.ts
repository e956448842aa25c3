import { GstReportService } from '../../../src/modules/invoices/gst-report.service.js';
import { InvoicesRepository } from '../../../src/modules/invoices/invoices.repository.js';
import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { StatementsService } from '../../../src/modules/payments/statements.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { dayAt, monthAt } from '../../../src/platform/time/time.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { watchLog } from '../../support/watch-log.js';

const PARCEL = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };

const DOCUMENTS = `
  SELECT number, kind, parcel, edition, part, supplied_on::text AS supplied, refund, credit_ended_on::text AS ended, against, place_of_supply AS place, gross::float8, taxable::float8,
         cgst::float8, sgst::float8, igst::float8, reason, facts,
         (SELECT json_agg(json_build_array(line, quantity, gross, gst_rate) ORDER BY position)
            FROM tax_document_items i WHERE i.number = d.number) AS items
    FROM tax_documents d WHERE order_number = $1 ORDER BY issued_at, kind DESC, number`;

const WAITS = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

interface DocumentRow {
  number: string;
  kind: string;
  parcel: number | null;
  edition: number;
  part: number;
  supplied: string | null;
  refund: number | null;
  ended: string | null;
  against: string | null;
  gross: number;
  taxable: number;
  cgst: number;
  sgst: number;
  igst: number;
  reason: string | null;
  items: [line: number, quantity: number, gross: number, rate: number][];
  facts: Record<string, unknown>;
}

describe('Tax documents', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  let desk: OrderDeskService;
  let store: Store;
  let mug: string;
  let shirt: string;

  beforeAll(async () => {
    desk = operator.app.get(OrderDeskService, { strict: false });
    store = await test.fixtures.store({ name: 'Asha Traders', state: '29' });
    const products = await test.fixtures.products([
      {
        name: 'Mug',
        basePrice: '118.00',
        deliveryCharge: '50.00',
        stock: 100_000,
        hsn: '6912',
        gstRate: '18',
      },
      { name: 'Shirt', basePrice: '210.00', deliveryCharge: '0', stock: 100_000, hsn: '6109', gstRate: '5' },
    ]);
    [mug, shirt] = products.map(({ sku }) => sku) as [string, string];
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  async function unpaidOrder(lines: [sku: string, quantity: number][], buyer = store): Promise<string> {
    const items = lines.map(([sku, quantity]) => ({ sku, quantity }));
    return test.place(buyer, items);
  }

  async function paidOrder(
    lines: [sku: string, quantity: number][] = [[mug, 10]],
    buyer = store,
  ): Promise<string> {
    const number = await unpaidOrder(lines, buyer);
    await desk.pay(number, 'test', {});
    return number;
  }

  const ship = (number: string, ...lines: string[]) =>
    desk.ship(number, 'test', PARCEL, lines.length > 0 ? lines : undefined);

  const documentsOf = async (number: string) =>
    (await test.pool.query<DocumentRow>(DOCUMENTS, [number])).rows;

  const kindsOf = async (number: string) =>
    (await documentsOf(number)).map(({ kind, gross, items }) => [
      kind,
      gross,
      items.map((item) => item.slice(0, 3)),
    ]);

  it('do not exist before the seller is set', async () => {
    const { sku } = await test.fixtures.product();
    const number = await paidOrder([[sku, 2]], await test.fixtures.store());
    await ship(number, '1=1');
    await test.fixtures.seller();
    await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
    expect(await documentsOf(number)).toEqual([]);
  });

  it('are an invoice for each parcel, with the delivery on the first', async () => {
    const number = await paidOrder([
      [mug, 3],
      [shirt, 2],
    ]);
    await ship(number, '1=1', '2=2');
    await ship(number);
    // A further box has no goods.
    await desk.ship(number, 'test', { ...PARCEL, trackingNumber: 'BOX' }, []);
    const [first, second, ...more] = await documentsOf(number);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      number: expect.stringMatching(/^INV-\d{4}-\d{7}$/),
      kind: 'invoice',
      parcel: 1,
      place: '29',
      gross: 588,
      // 118 at 18 %, 420 at 5 %, and the delivery of 50 at the highest rate.
      taxable: 542.38,
      cgst: 22.81,
      sgst: 22.81,
      igst: 0,
      facts: {
        seller: { name: 'Wholesale House', gstin: '29AAGCB7383J1Z4', state: '29' },
        client: { name: 'Asha Traders', gstin: null, address: '4, Residency Road', state: '29' },
        deliver_to: { name: 'Ravi Kumar', state: 'Karnataka', state_code: '29', country: 'India' },
        against: null,
      },
      items: [
        [1, 1, 118, 18],
        [2, 2, 420, 5],
        [0, 1, 50, 18],
      ],
    });
    expect(second).toMatchObject({ parcel: 2, gross: 236, items: [[1, 2, 236, 18]] });
  });

  it('are supplied where the goods are delivered if the client has no GSTIN', async () => {
    const [own, other] = await Promise.all([
      test.fixtures.store({ state: '29' }),
      test.fixtures.store({ state: '27' }),
    ]);
    for (const [buyer, state, place] of [
      [own, 'Kerela', '32'],
      [other, 'KA', '29'],
    ] as const) {
      const number = await paidOrder([[mug, 1]], buyer);
      await test.pool.query('UPDATE orders SET shipping_state = $2 WHERE order_number = $1', [number, state]);
      await ship(number);
      const igst = place === '29' ? 0 : 25.63;
      const deliver_to = { state: place === '29' ? 'Karnataka' : 'Kerala', state_code: place };
      expect(await documentsOf(number)).toMatchObject([{ place, igst, facts: { deliver_to } }]);
    }
  });

  it('have IGST for a client of another state', async () => {
    const other = await test.fixtures.store({ state: '27', gstin: '27AAPFU0939F1ZV' });
    const number = await paidOrder([[mug, 1]], other);
    await ship(number);
    expect(await documentsOf(number)).toMatchObject([
      { place: '27', gross: 168, taxable: 142.37, cgst: 0, sgst: 0, igst: 25.63 },
    ]);
  });

  it.each([
    ['within the state', '29', undefined],
    ['to another state', '27', '27AAPFU0939F1ZV'],
  ])(
    'are credited to the paisa in three odd parts, %s, with the day of the invoice',
    async (_, state, gstin) => {
      const number = await paidOrder([[shirt, 1]], await test.fixtures.store({ state, gstin }));
      await ship(number);
      const moveInvoice = (days: number) =>
        test.fixtures.rewrite(
          `UPDATE tax_documents SET issued_on = issued_on + $2::int, issued_at = issued_at + $2 * interval '1 day'
          WHERE order_number = $1 AND kind = 'invoice' RETURNING issued_on::text AS day`,
          [number, days],
        );
      await moveInvoice(-1);
      for (const amount of ['70.07', '70.08', '69.85'])
        await desk.refund(number, 'test', { amount, reason: 'scratched' });
      const [invoice, ...notes] = await documentsOf(number);
      const { rows } = await test.pool.query('SELECT issued_on::text FROM tax_documents WHERE number = $1', [
        invoice!.number,
      ]);
      await moveInvoice(1);
      const against = { number: invoice!.number, issued_on: rows[0]!.issued_on as string };
      expect(notes.map(({ facts }) => facts.against)).toEqual([against, against, against]);
      for (const part of ['gross', 'taxable', 'cgst', 'sgst', 'igst'] as const)
        expect([part, notes.reduce((sum, note) => sum + note[part], 0).toFixed(2)]).toEqual([
          part,
          invoice![part].toFixed(2),
        ]);
    },
  );

  it('are those of each order and client when one file ships the rest of several', async () => {
    const bela = await test.fixtures.store({ name: 'Bela Stores', state: '27', gstin: '27AAPFU0939F1ZV' });
    const numbers: string[] = [];
    for (const buyer of [store, bela]) {
      const number = await paidOrder([[mug, 4]], buyer);
      await ship(number, '1=1');
      await desk.refund(number, 'test', { lines: ['1=2'], reason: `too dear in ${buyer.clientId}` });
      await desk.refund(number, 'test', { amount: '1', reason: `late in ${buyer.clientId}` });
      numbers.push(number);
    }
    const files = operator.app.get(ParcelFilesService, { strict: false }).shipments;
    const content = ['order_number,courier', ...numbers.map((number) => `${number},Delhivery`)].join('\n');
    expect(await operator.import(files, content)).toMatchObject({ updated: 2, failed: [] });
    for (const [at, buyer] of [store, bela].entries()) {
      const documents = await documentsOf(numbers[at]!);
      const state = ['29', '27'][at];
      const client = { name: ['Asha Traders', 'Bela Stores'][at], state };
      expect(documents).toMatchObject(documents.map(() => ({ place: state, facts: { client } })));
      const late = `late in ${buyer.clientId}`;
      expect(documents.map(({ kind, gross, reason }) => [kind, gross, reason])).toEqual([
        ['invoice', 168, null],
        ['credit_note', 118, `too dear in ${buyer.clientId}`],
        ['credit_note', 1, late],
        ['invoice', 354, null],
        ['credit_note', 118, late],
      ]);
    }
  });

  it('are issued one after the other: a second transaction waits for the first', async () => {
    const number = await paidOrder();
    const holder = await test.pool.connect();
    try {
      await holder.query('BEGIN; SELECT FROM sellers FOR UPDATE');
      const shipped = ship(number);
      await eventually(async () => (await test.pool.query(WAITS)).rowCount === 1);
      expect(await documentsOf(number)).toEqual([]);
      await holder.query('COMMIT');
      await shipped;
      expect(await documentsOf(number)).toHaveLength(1);
    } finally {
      holder.release(true);
    }
  });

  it('are credit notes for refunds before, between and after the parcels', async () => {
    const number = await paidOrder();
    await desk.refund(number, 'test', { lines: ['1=2'], reason: 'too dear' });
    expect(await kindsOf(number)).toEqual([]);
    await ship(number, '1=4');
    await desk.refund(number, 'test', { amount: '18', reason: 'scratched' });
    await ship(number);
    await desk.refund(number, 'test', { delivery: true, reason: 'late' });
    await desk.refund(number, 'test', { lines: ['1=3'], reason: 'broken' });
    const documents = await documentsOf(number);
    const billed = documents.reduce((sum, { kind, gross }) => sum + (kind === 'invoice' ? gross : -gross), 0);
    expect(billed).toBeCloseTo(1_230 - 5 * 118 - 18 - 50, 9);
    const notes = documents.filter(({ kind }) => kind === 'credit_note');
    const invoices = documents.filter(({ kind }) => kind === 'invoice').map((one) => one.number);
    for (const note of notes) {
      expect(invoices).toContain(note.against);
      expect(note.facts).toMatchObject({ against: { number: note.against } });
    }
    expect(notes.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['too dear', 'late', 'broken']));
  });

  it('are all in the statement: a refund has its own credit note and the one of a later parcel', async () => {
    const number = await paidOrder([
      [mug, 1],
      [shirt, 1],
    ]);
    await ship(number, '1=1');
    await desk.refund(number, 'test', { lines: ['1=1', '2=1'], reason: 'too dear' });
    const [, own] = await documentsOf(number);
    expect(own).toMatchObject({ kind: 'credit_note', refund: 1, gross: 118 });
    await ship(number);
    await desk.refund(number, 'test', { delivery: true, reason: 'late' });
    const notes = (await documentsOf(number)).filter(({ kind }) => kind === 'credit_note');
    expect(notes.map(({ refund, gross }) => [refund, gross])).toEqual([
      [1, 118],
      [null, 210],
      [2, 50],
    ]);
    const statements = operator.app.get(StatementsService, { strict: false });
    const { entries } = await statements.show(store.clientId, monthAt(Date.now(), 'Asia/Kolkata'));
    const ofOrder = entries.filter(
      ({ order_number, what }) => order_number === number && what === 'Order refunded',
    );
    const [first, later, last] = notes.map((note) => note.number);
    expect(ofOrder.map(({ documents }) => documents)).toEqual([[first, later], [last]]);
  });

  describe('that were wrong', () => {
    const undo = (number: string, action: 'withdraw' | 'reissue', parcel?: number) =>
      desk.undo(number, 'test', { action, parcel, reason: 'a mistake' });

    it('are credited in full with a parcel that never left, and the next parcel has a new one', async () => {
      const number = await paidOrder();
      await ship(number, '1=4');
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
      await ship(number);
      await desk.refund(number, 'test', { amount: '100', reason: 'late' });
      await desk.ship(number, 'test', { ...PARCEL, trackingNumber: 'BOX2' }, []);
      const before = await documentsOf(number);
      expect(await undo(number, 'withdraw')).toMatchObject({ status: 'shipped' });
      expect(await documentsOf(number)).toEqual(before);
      expect(await undo(number, 'withdraw')).toMatchObject({ status: 'pending', refunded_amount: 218 });
      const [first, second] = before.filter(({ kind }) => kind === 'invoice');
      const [note, ...others] = (await documentsOf(number)).slice(before.length);
      // Of 708, 100 × 708/1,112 was credited for the refund of an amount. The first invoice bears it now.
      expect([note!.against, note!.reason, note!.refund]).toEqual([second!.number, 'a mistake', null]);
      expect(others).toMatchObject([{ kind: 'credit_note', against: first!.number, reason: 'late' }]);
      const left = async () =>
        (await documentsOf(number)).reduce(
          (sum, { kind, gross }) => sum + Math.round(gross * 100) * (kind === 'invoice' ? 1 : -1),
          0,
        ) / 100;
      expect(await left()).toBe(522 - 218);
      await ship(number);
      const last = (await documentsOf(number)).at(-1)!;
      expect(last).toMatchObject({ parcel: 2, edition: 2, gross: 708 });
      expect(last.facts).toMatchObject({ replaces: { number: second!.number } });
      expect(await left()).toBe(1_230 - 218);
      // Once more, and then the order ends.
      await undo(number, 'withdraw');
      await desk.cancel(number, 'test', { reason: 'out of stock' });
      expect(await left()).toBe(522 - 218);
      expect(await undo(number, 'withdraw')).toMatchObject({ status: 'pending', tracking: null });
      expect(await left()).toBe(0);
      expect(await desk.cancel(number, 'test', { reason: 'no more' })).toMatchObject({ status: 'cancelled' });
    });

    it('need no other note if all was credited before the parcel is withdrawn', async () => {
      const buyer = await test.fixtures.store({ name: 'Full Refund', state: '29' });
      const { sku } = await test.fixtures.product({ basePrice: '100.00', hsn: '6912', gstRate: '12' });
      const number = await paidOrder([[sku, 1]], buyer);
      await ship(number);
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
      await undo(number, 'withdraw');
      expect((await documentsOf(number)).map(({ kind }) => kind)).toEqual(['invoice', 'credit_note']);
      expect(await contradictions(test.pool)).toEqual([]);
      await ship(number);
      expect((await documentsOf(number)).slice(2)).toMatchObject([
        { kind: 'invoice', edition: 2, gross: 100 },
        { kind: 'credit_note', gross: 100 },
      ]);
    });

    it('are credited in full and issued again, with the refunds so far and the tax data of now', async () => {
      const buyer = await test.fixtures.store({ name: 'Wrong Shop', state: '29' });
      const { sku } = await test.fixtures.product({ basePrice: '100.00', hsn: '6912', gstRate: '12' });
      const number = await paidOrder([[sku, 3]], buyer);
      await ship(number, '1=1');
      await ship(number);
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
      const [wrong] = await documentsOf(number);
      const same = `The new invoice would be the same as ${wrong!.number}.`;
      await expect(undo(number, 'reissue', 1)).rejects.toThrow(same);
      await test.pool.query('UPDATE products SET gst_rate = 18 WHERE sku = $1', [sku]);
      await test.pool.query("UPDATE clients SET gstin = $2, state = '27', name = $3 WHERE id = $1", [
        buyer.clientId,
        '27AAPFU0939F1ZV',
        'Right Shop',
      ]);
      expect(await undo(number, 'reissue', 1)).toMatchObject({ status: 'shipped', changes: [] });
      const documents = await documentsOf(number);
      const repeated = documents.find(({ edition }) => edition === 2)!;
      expect(repeated).toMatchObject({ parcel: 1, gross: wrong!.gross, cgst: 0 });
      expect(repeated.items[0]).toEqual([1, 1, 100, 18]);
      expect(repeated.facts).toMatchObject({
        client: { name: 'Right Shop', gstin: '27AAPFU0939F1ZV' },
        replaces: { number: wrong!.number },
      });
      const net = new Map<string | null, number>();
      for (const { number: own, against, gross, kind } of documents) {
        const invoice = against ?? own;
        net.set(invoice, (net.get(invoice) ?? 0) + (kind === 'invoice' ? gross : -gross));
      }
      expect(net.get(wrong!.number)).toBe(0);
      await expect(undo(number, 'reissue', 1)).rejects.toThrow('would be the same as');
    });
  });

  describe('of a refund that is taken back', () => {
    const takeBack = (number: string, refund: number, amount?: string) =>
      desk.takeBack(number, 'test', { refund, amount, reason: `wrong ${refund}` });
    const notice = async (number: string) =>
      (await documentsOf(number)).map(({ kind, gross, refund, reason, items }) => [
        kind,
        gross,
        ...(refund === null ? [] : [refund, reason, items.map((item) => item.slice(0, 3))]),
      ]);

    it('are debit notes for what was credited, in part or in full, with the same tax', async () => {
      const buyer = await test.fixtures.store({ name: 'Corrected', state: '29' });
      const number = await paidOrder([[mug, 10]], buyer);
      await ship(number);
      await desk.refund(number, 'test', { amount: '600', reason: 'meant 60' });
      const displayed = await takeBack(number, 1, '540');
      expect(displayed).toMatchObject({ refunded_amount: 60, payment_status: 'paid', status: 'shipped' });
      expect(displayed.refunds.map(({ kind, amount, takes_back }) => [kind, amount, takes_back])).toEqual([
        ['amount', 600, null],
        ['taken_back', -540, 1],
      ]);
      // Its repetition does nothing.
      expect(await takeBack(number, 1, '540')).toEqual(displayed);
      const [invoice, , debit] = await documentsOf(number);
      expect(debit).toMatchObject({ against: invoice!.number, refund: 2, reason: 'wrong 1' });
      expect([debit!.number.slice(0, 2), debit!.facts.against]).toEqual([
        'DN',
        expect.objectContaining({ number: invoice!.number }),
      ]);
      expect(await notice(number)).toEqual([
        ['invoice', 1_230],
        [
          'credit_note',
          600,
          1,
          'meant 60',
          [
            [1, 0, 575.61],
            [0, 0, 24.39],
          ],
        ],
        [
          'debit_note',
          540,
          2,
          'wrong 1',
          [
            [1, 0, 518.05],
            [0, 0, 21.95],
          ],
        ],
      ]);
      await takeBack(number, 1);
      await expect(takeBack(number, 1, '0.01')).rejects.toThrow('Refund 1 has nothing left to take back.');
      const { entries } = await operator.app
        .get(StatementsService, { strict: false })
        .show(buyer.clientId, monthAt(Date.now(), 'Asia/Kolkata'));
      const notes = (await documentsOf(number)).slice(1).map((note) => [note.number]);
      expect(
        entries.filter(({ what }) => what.startsWith('Order refunded')).map(({ documents }) => documents),
      ).toEqual(notes.slice(0, 1));
      expect(
        entries
          .filter(({ what }) => what === 'Refund taken back')
          .map(({ amount, documents }) => [amount, documents]),
      ).toEqual([
        [-540, notes[1]],
        [-60, notes[2]],
      ]);
    });

    it('follow lines with their units, the delivery and returns, and another refund may come', async () => {
      const number = await paidOrder([
        [mug, 3],
        [shirt, 2],
      ]);
      await ship(number);
      await desk.refund(number, 'test', { lines: ['1=3', '2=1'], reason: 'meant one' });
      expect(await takeBack(number, 1)).toMatchObject({
        refunded_amount: 0,
        items: [{ refunded: 0 }, { refunded: 0 }],
      });
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
      await desk.refund(number, 'test', { delivery: true, reason: 'late' });
      await takeBack(number, 4);
      const repeated = desk.refund(number, 'test', { delivery: true, reason: 'late after all' });
      await expect(repeated).rejects.toThrow('If that was taken back, refund an amount.');
      const returns = operator.app.get(OrderReturnsService, { strict: false });
      const { number: returned } = await returns.add(
        number,
        { lines: [{ line: 2, quantity: 2 }], reason: 'small' },
        'test',
      );
      await returns.receive(returned, { restock: [], refund: true }, 'test');
      expect(await takeBack(number, 6)).toMatchObject({ refunded_amount: 118, returns: [{ refunded: 0 }] });
      expect((await notice(number)).slice(1)).toEqual([
        [
          'credit_note',
          564,
          1,
          'meant one',
          [
            [1, 3, 354],
            [2, 1, 210],
          ],
        ],
        [
          'debit_note',
          564,
          2,
          'wrong 1',
          [
            [1, 3, 354],
            [2, 1, 210],
          ],
        ],
        ['credit_note', 118, 3, 'broken', [[1, 1, 118]]],
        ['credit_note', 50, 4, 'late', [[0, 1, 50]]],
        ['debit_note', 50, 5, 'wrong 4', [[0, 1, 50]]],
        ['credit_note', 420, 6, 'small', [[2, 2, 420]]],
        ['debit_note', 420, 7, 'wrong 6', [[2, 2, 420]]],
      ]);
    });

    it('are none while the credit waits, and the parcel is invoiced in full', async () => {
      const number = await paidOrder([[mug, 4]]);
      await desk.refund(number, 'test', { lines: ['1=2'], reason: 'too soon' });
      await desk.refund(number, 'test', { amount: '18', reason: 'kind' });
      await takeBack(number, 1);
      expect(await documentsOf(number)).toEqual([]);
      await ship(number);
      expect(await notice(number)).toEqual([
        ['invoice', 522],
        ['credit_note', 18],
      ]);
      expect((await documentsOf(number))[1]!.reason).toBe('kind');
    });

    it('of a refunded order make it a paid one, which can be issued again', async () => {
      const buyer = await test.fixtures.store({ name: 'Twice Wrong', state: '29' });
      const number = await paidOrder([[mug, 1]], buyer);
      await ship(number);
      expect(await desk.refund(number, 'test', { amount: '168', reason: 'all' })).toMatchObject({
        payment_status: 'refunded',
      });
      expect(await takeBack(number, 1)).toMatchObject({ payment_status: 'paid', refunded_amount: 0 });
      await test.pool.query("UPDATE clients SET name = 'Right' WHERE id = $1", [buyer.clientId]);
      await desk.undo(number, 'test', { action: 'reissue', reason: 'name' });
      const [invoice, credit, debit, ...repeated] = await notice(number);
      expect([invoice, credit, debit]).toEqual([
        ['invoice', 168],
        [
          'credit_note',
          168,
          1,
          'all',
          [
            [1, 0, 118],
            [0, 0, 50],
          ],
        ],
        [
          'debit_note',
          168,
          2,
          'wrong 1',
          [
            [1, 0, 118],
            [0, 0, 50],
          ],
        ],
      ]);
      expect(repeated).toEqual([
        ['invoice', 168],
        ['credit_note', 168],
      ]);
    });

    it('leave the reason of the refund that stays, and no note at the one that was taken back', async () => {
      const buyer = await test.fixtures.store({ name: 'Two Reasons', state: '29' });
      const number = await paidOrder([[mug, 4]], buyer);
      await desk.refund(number, 'test', { amount: '18', reason: 'late' });
      await desk.refund(number, 'test', { lines: ['1=1'], reason: 'wrong order' });
      await takeBack(number, 2);
      await ship(number);
      expect((await documentsOf(number))[1]).toMatchObject({
        kind: 'credit_note',
        gross: 18,
        reason: 'late',
      });
      const { entries } = await operator.app
        .get(StatementsService, { strict: false })
        .show(buyer.clientId, monthAt(Date.now(), 'Asia/Kolkata'));
      const refunds = entries.filter(({ what }) => what === 'Order refunded');
      expect(refunds.map(({ amount, documents }) => [amount, documents!.length])).toEqual([
        [18, 1],
        [118, 0],
      ]);
    });

    it('have keys of their own, and a refund is not repeated in silence after it', async () => {
      const number = await paidOrder([[mug, 2]]);
      await ship(number);
      const refund = { amount: '60', reason: 'late', key: 'second' };
      await desk.refund(number, 'test', refund);
      const back = { refund: 1, reason: 'no' };
      await expect(desk.takeBack(number, 'test', { ...back, key: 'second' })).rejects.toThrow(
        'Another refund of the order has this key already.',
      );
      await desk.takeBack(number, 'test', back);
      await expect(desk.refund(number, 'test', refund)).rejects.toThrow(
        'This is refund 1, which was taken back. Give a new one another key.',
      );
      expect(await desk.refund(number, 'test', { ...refund, key: 'third' })).toMatchObject({
        refunded_amount: 60,
      });
      const shop = { client: store.clientId, number };
      const insert = test.pool.query(
        `INSERT INTO order_refunds (client_id, order_number, refund, kind, takes_back, amount, reason, key, actor,
                                    refunded_at)
         VALUES ($1, $2, 9, 'taken_back', 1, -0.01, 'x', 'x', 'x', now())`,
        [shop.client, shop.number],
      );
      await expect(insert).rejects.toThrow('more of a refund is taken back than it paid');
    });

    it('need the money in the wallet, and change nothing without it', async () => {
      const buyer = await test.fixtures.store({ name: 'Spent', state: '29' });
      const number = await paidOrder([[mug, 2]], buyer);
      await ship(number);
      await desk.refund(number, 'test', { amount: '168', reason: 'too high' });
      const next = await unpaidOrder([[mug, 1]], buyer);
      await desk.payFromWallet([next], 'test');
      const before = await desk.show(number);
      await expect(takeBack(number, 1)).rejects.toMatchObject({
        code: 'insufficient_balance',
        message: 'The wallet holds 0.00. That is 168.00 too little.',
      });
      expect(await desk.show(number)).toEqual(before);
    });
  });

  it('leave out what was cancelled before it left', async () => {
    const number = await paidOrder();
    await ship(number, '1=4');
    await desk.cancel(number, 'test', { lines: ['1=3'], reason: 'out of stock' });
    expect(await kindsOf(number)).toHaveLength(1);
    await ship(number);
    expect((await kindsOf(number)).map(([kind, gross]) => [kind, gross])).toEqual([
      ['invoice', 522],
      ['invoice', 354],
    ]);
    const whole = await paidOrder();
    await desk.cancel(whole, 'test', { reason: 'out of stock' });
    expect(await documentsOf(whole)).toEqual([]);
  });

  it('follow a return that is received with a refund', async () => {
    const number = await paidOrder();
    await ship(number);
    const returns = operator.app.get(OrderReturnsService, { strict: false });
    const requested = { lines: [{ line: 1, quantity: 2 }], reason: 'wrong size' };
    const { number: returned } = await returns.add(number, requested, 'test');
    await returns.receive(returned, { restock: [], refund: true }, 'test');
    expect((await documentsOf(number)).at(-1)).toMatchObject({
      kind: 'credit_note',
      refund: 1,
      gross: 236,
      reason: 'wrong size',
      items: [[1, 2, 236, 18]],
    });
  });

  it('refuse a shipment whose tax data is missing, and say how to set it', async () => {
    const stateless = await test.fixtures.store({ name: 'Nowhere' });
    const [unknown] = [await paidOrder([[mug, 1]], stateless)];
    await expect(ship(unknown)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `An invoice for Nowhere (client ${stateless.clientId}) needs its GSTIN or state, and billing address.`,
      ),
    });
    const { sku } = await test.fixtures.product();
    const untaxed = await paidOrder([[sku, 1]]);
    await expect(ship(untaxed)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(sku),
    });
    expect((await desk.show(untaxed)).status).toBe('pending');
    expect(await documentsOf(untaxed)).toEqual([]);
    // A refund never depends on tax data.
    const otherPlace = await paidOrder();
    for (const [column, value, notice] of [
      ['country', 'Nepal', 'The goods go to Nepal.'],
      ['state', 'Bavaria', '"Bavaria" is not an Indian state.'],
    ]) {
      const set = (to: string) =>
        test.pool.query(`UPDATE orders SET shipping_${column} = $2 WHERE order_number = $1`, [
          otherPlace,
          to,
        ]);
      await set(value!);
      await expect(ship(otherPlace)).rejects.toMatchObject({ message: expect.stringContaining(notice!) });
      await set(column === 'state' ? 'Karnataka' : 'India');
    }
    const waived = await paidOrder();
    expect(() => desk.ship(waived, 'test', PARCEL, ['1=1'], 'x')).toThrow('elsewhere, replacement, sample');
    await desk.ship(waived, 'test', PARCEL, ['1=1'], 'export under LUT');
    const { rows } = await test.pool.query(
      `SELECT details FROM audit_log WHERE subject = $1 AND action = 'order.shipped'`,
      [`order ${waived}`],
    );
    expect(rows).toMatchObject([{ details: { lines: '1=1', no_invoice: 'export under LUT' } }]);
    expect((await desk.show(waived)).parcels).toMatchObject([{ no_invoice: 'export under LUT' }]);
    await ship(waived, '1=8');
    await ship(waived);
    // The first parcel with an invoice bills the delivery of 50.
    expect(await documentsOf(waived)).toMatchObject([
      { parcel: 2, gross: 994 },
      { parcel: 3, gross: 118 },
    ]);
    for (const number of [unknown, untaxed, otherPlace])
      await desk.refund(number, 'test', { amount: '10', reason: 'late' });
  });

  it('have the rate of their day, even before a job has written it', async () => {
    const [{ sku, id }] = (await test.fixtures.products([
      { basePrice: '100.00', stock: 10, hsn: '6912', gstRate: '12' },
    ])) as [{ sku: string; id: number }];
    const number = await paidOrder([[sku, 3]]);
    const begins = async (from: string, rate: number) => {
      const { rows } = await test.pool.query<{ id: number }>(
        `INSERT INTO price_schedules (from_at, actor) VALUES (now() + $1::interval, 'test') RETURNING id`,
        [from],
      );
      await test.pool.query(
        `INSERT INTO scheduled_prices (schedule_id, number, product_id, is_rate, value)
         VALUES ($1, 1, $2, true, $3)`,
        [rows[0]!.id, id, rate],
      );
    };
    await begins('1 hour', 28);
    await ship(number, '1=1');
    await begins('-2 s', 18);
    await begins('-1 s', 5);
    await ship(number, '1=1');
    const rates = (await documentsOf(number)).map(({ items }) => items[0]![3]);
    expect(rates).toEqual([12, 5]);
  });

  it('of goods that left before have the rate and the return of that day, and the date of today', async () => {
    const [{ sku, id }] = (await test.fixtures.products([
      { basePrice: '100.00', stock: 10, hsn: '6912', gstRate: '18' },
    ])) as [{ sku: string; id: number }];
    await test.pool.query(
      `WITH schedule AS (
              INSERT INTO price_schedules (from_at, actor, applied_at, closed_at)
              VALUES (now() - interval '10 days', 'test', now(), now()) RETURNING id)
       INSERT INTO scheduled_prices (schedule_id, number, product_id, is_rate, value, replaced, state)
       SELECT id, 1, $1, true, 18, 12, 'applied' FROM schedule`,
      [id],
    );
    const buyer = await test.fixtures.store({ state: '27', gstin: '27AAPFU0939F1ZV' });
    const number = await paidOrder([[sku, 3]], buyer);
    await test.fixtures.age(24 * 50, number);
    const leftAt = new Date(Date.now() - 45 * 86_400_000);
    await desk.ship(number, 'test', { ...PARCEL, shippedAt: leftAt }, ['1=1']);
    await ship(number, '1=1');
    const [late, usual] = await documentsOf(number);
    const left = dayAt(leftAt, 'Asia/Kolkata');
    expect([late!.supplied, usual!.supplied]).toEqual([left, null]);
    expect([late, usual].map((one) => one!.items[0]![3])).toEqual([12, 18]);
    const rowsOf = async (month: string) => {
      const { files } = await test.app.get(GstReportService, { strict: false }).returnOf(month);
      const rows = files.find(({ name }) => name === 'b2b')!.rows;
      const own = new Set((await documentsOf(number)).map((one) => one.number));
      return rows.map((row) => row['Invoice Number']!).filter((one) => own.has(one));
    };
    expect(await rowsOf(left.slice(0, 7))).toEqual([late!.number]);
    expect(await rowsOf(monthAt(Date.now(), 'Asia/Kolkata'))).toEqual([usual!.number]);
    // Issued again, it stands in the return of today, beside the credit note of the old one.
    await test.pool.query("UPDATE clients SET name = 'Right' WHERE id = $1", [buyer.clientId]);
    await desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'name' });
    const repeated = (await documentsOf(number)).find(({ edition }) => edition === 2);
    expect([repeated!.supplied, repeated!.items[0]![3]]).toEqual([null, 12]);
    expect(await rowsOf(left.slice(0, 7))).toEqual([late!.number]);
    expect(await rowsOf(monthAt(Date.now(), 'Asia/Kolkata'))).toEqual([usual!.number, repeated!.number]);
  });

  it('have the time of the parcel that left, not of one that was withdrawn before', async () => {
    const buyer = await test.fixtures.store({ state: '27', gstin: '27AAPFU0939F1ZV' });
    const number = await paidOrder([[mug, 1]], buyer);
    await test.fixtures.age(24 * 800, number);
    await desk.ship(number, 'test', { ...PARCEL, shippedAt: new Date(Date.now() - 799 * 86_400_000) });
    await desk.undo(number, 'test', { action: 'withdraw', reason: 'stopped' });
    await ship(number);
    await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
    const notes = (await documentsOf(number)).filter(({ kind }) => kind === 'credit_note');
    expect(notes.map(({ ended, igst }) => [ended === null, igst])).toEqual([
      [false, 0],
      [true, 18],
    ]);
  });

  it('are notes without tax after 30 November of the next financial year, and debits follow them', async () => {
    const buyer = await test.fixtures.store({ state: '27', gstin: '27AAPFU0939F1ZV' });
    const number = await paidOrder([[mug, 5]], buyer);
    await test.fixtures.age(24 * 800, number);
    // Of this parcel the time is over; the other one was sent today.
    const leftAt = new Date(Date.now() - 799 * 86_400_000);
    await desk.ship(number, 'test', { ...PARCEL, shippedAt: leftAt }, ['1=3']);
    await ship(number);
    await desk.refund(number, 'test', { amount: '64', reason: 'late' });
    await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
    await desk.refund(number, 'test', { amount: '30', reason: 'late' });
    const back = (refund: number, amount?: string) =>
      desk.takeBack(number, 'test', { refund, amount, reason: 'meant another' });
    // Each takes back what it credited, of both invoices, whatever the others credited.
    await back(1, '32');
    for (const refund of [3, 1, 2]) await back(refund);
    const year = Number(dayAt(leftAt, 'Asia/Kolkata').slice(0, 4));
    const ended = `${dayAt(leftAt, 'Asia/Kolkata').slice(5) < '04-01' ? year : year + 1}-11-30`;
    const [old, recent, ...notes] = await documentsOf(number);
    const notice = notes.map((note) => [note.kind[0], note.against, note.gross, note.igst, note.ended]);
    expect(notice).toEqual([
      ['c', old!.number, 40.4, 0, ended],
      ['c', recent!.number, 23.6, 3.6, null],
      ['c', old!.number, 118, 0, ended],
      ['c', old!.number, 16.09, 0, ended],
      ['c', recent!.number, 13.91, 2.12, null],
      ['d', old!.number, 20.2, 0, ended],
      ['d', recent!.number, 11.8, 1.8, null],
      ['d', old!.number, 16.09, 0, ended],
      ['d', recent!.number, 13.91, 2.12, null],
      ['d', old!.number, 20.2, 0, ended],
      ['d', recent!.number, 11.8, 1.8, null],
      ['d', old!.number, 118, 0, ended],
    ]);
    await expect(
      desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'wrong name' }),
    ).rejects.toThrow(`${old!.number} cannot be issued again: the time for a credit of tax ended on 30 Nov`);
    await desk.undo(number, 'test', { action: 'withdraw', reason: 'a mistake' });
    const last = (await documentsOf(number)).at(-1)!;
    expect([last.against, last.ended, last.igst]).toEqual([recent!.number, null, 36]);
    const { files } = await test.app
      .get(GstReportService, { strict: false })
      .returnOf(monthAt(Date.now(), 'Asia/Kolkata'));
    const noted = files.find(({ name }) => name === 'cdnr')!.rows.map((row) => row['Note Number']);
    expect(noted.filter((one) => notes.some((note) => note.number === one))).toEqual(
      [1, 4, 6, 8, 10].map((at) => notes[at]!.number),
    );
  });

  it('are a tax invoice and a bill of supply for a registered client, and one document else', async () => {
    const products = await test.fixtures.products([
      { basePrice: '100.00', deliveryCharge: '30.00', stock: 10, hsn: '6912', gstRate: '18' },
      { basePrice: '50.00', deliveryCharge: '30.00', stock: 10, hsn: '0713', gstRate: '0' },
    ]);
    const lines = products.map(({ sku }): [string, number] => [sku, 2]);
    const buyer = await test.fixtures.store({ state: '27', gstin: '27AAPFU0939F1ZV' });
    const number = await paidOrder(lines, buyer);
    await ship(number, '2=1');
    await ship(number);
    const notice = async () =>
      (await documentsOf(number)).map(({ kind, parcel, part, items }) => [
        kind[0],
        parcel,
        part,
        ...items.map(([line, quantity, , rate]) => `${line}=${quantity} ${rate}`),
      ]);
    // The delivery follows the goods of its parcel, which has no tax.
    const invoices = [
      ['i', 1, 1, '2=1 0', '0=1 0'],
      ['i', 2, 1, '1=2 18'],
      ['i', 2, 2, '2=1 0'],
    ];
    expect(await notice()).toEqual(invoices);
    await desk.refund(number, 'test', { lines: ['1=1', '2=2'], reason: 'broken' });
    expect((await notice()).slice(3).map(([kind, , , ...items]) => [kind, ...items])).toEqual([
      ['c', '2=1 0'],
      ['c', '1=1 18'],
      ['c', '2=1 0'],
    ]);
    await desk.undo(number, 'test', { action: 'withdraw', reason: 'a mistake' });
    expect((await notice()).slice(6)).toEqual([['c', null, 1, '1=0 18']]);
    await ship(number);
    const repeated = (await documentsOf(number)).filter(({ edition }) => edition === 2);
    const replaced = repeated.map(({ part, facts }) => [part, (facts.replaces as { number: string }).number]);
    const [, tax, bill] = await documentsOf(number);
    expect(replaced).toEqual([
      [1, tax!.number],
      [2, bill!.number],
    ]);
    const other = await paidOrder(lines);
    await ship(other);
    expect(await documentsOf(other)).toHaveLength(1);
  });

  it('keep what they say when client and product change', async () => {
    const buyer = await test.fixtures.store({ name: 'Old name', state: '29' });
    const number = await paidOrder([[mug, 2]], buyer);
    await ship(number);
    await test.pool.query(`UPDATE clients SET name = 'New name', state = '27' WHERE id = $1`, [
      buyer.clientId,
    ]);
    await test.pool.query(`UPDATE products SET gst_rate = 40 WHERE sku = $1`, [mug]);
    await desk.refund(number, 'test', { lines: ['1=1'], reason: 'broken' });
    await test.pool.query(`UPDATE products SET gst_rate = 18 WHERE sku = $1`, [mug]);
    for (const { kind, ...document } of await documentsOf(number))
      expect([kind, document]).toMatchObject([
        kind,
        { place: '29', facts: { client: { name: 'Old name' } } },
      ]);
  });

  it('cannot be changed or deleted, even by the owner of the database', async () => {
    await ship(await paidOrder());
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

  it('have no earlier time than the last one when the clock goes back', async () => {
    await ship(await paidOrder());
    const repository = operator.app.get(InvoicesRepository, { strict: false });
    const counted = repository.readNumberingState.bind(repository);
    let newest: Date | undefined;
    repository.readNumberingState = async (transaction) => {
      const found = await counted(transaction);
      newest = found.series.find(({ kind }) => kind === 'invoice')!.issuedAt!;
      return { ...found, now: new Date(newest.getTime() - 1) };
    };
    const log = watchLog();
    const number = await paidOrder();
    await ship(number);
    repository.readNumberingState = counted;
    const { rows } = await test.pool.query('SELECT issued_at FROM tax_documents WHERE order_number = $1', [
      number,
    ]);
    expect(rows).toEqual([{ issued_at: newest }]);
    expect(log).toEqual([expect.stringContaining('clock is 0.001 s behind')]);
  });

  it('have no gap in their numbers when eight ship at once through two nodes and some fail', async () => {
    const last = async () =>
      (await test.pool.query<{ last: number }>(`SELECT last FROM document_series WHERE kind = 'invoice'`))
        .rows[0]!.last;
    const before = await last();
    const numbers = await Promise.all(Array.from({ length: 24 }, () => paidOrder()));
    const desks = [test.app, operator.app].map((app) => app.get(OrderDeskService, { strict: false }));
    const database = test.app.get(Database, { strict: false });
    const lifecycle = test.app.get(OrderLifecycleService, { strict: false });
    // The last step of a transaction runs even if others wait for it; then the whole is rolled back.
    const done = await Promise.allSettled(
      numbers.map((number, n) =>
        n % 3 === 0
          ? database.transaction(async (transaction) => {
              await lifecycle.applyChangeWithin(
                transaction,
                { clientId: store.clientId, orderNumber: number },
                { action: 'ship', ...PARCEL },
                'test',
              );
              transaction.beforeCommit(() => Promise.reject(new Error('rolled back')));
            })
          : desks[n % 2]!.ship(number, 'test', PARCEL),
      ),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(await last()).toBe(before + 16);
    for (const [n, number] of numbers.entries())
      expect(await documentsOf(number)).toHaveLength(n % 3 === 0 ? 0 : 1);
  });

  it('are issued for a file in several batches, without the rows that cannot be billed', async () => {
    const [good, bad] = await test.fixtures.products([
      { stock: 1_000, hsn: '6912', gstRate: '12' },
      { stock: 1_000 },
    ]);
    const numbers: string[] = [];
    for (let n = 0; n < 100; n += 10) {
      const orders = Array.from({ length: 10 }, (_, at) =>
        unpaidOrder([[n % 20 === 0 && at === 7 ? bad!.sku : good!.sku, 1]]),
      );
      numbers.push(...(await Promise.all(orders)));
    }
    const keys = numbers.map((orderNumber) => ({ clientId: store.clientId, orderNumber }));
    const lifecycle = test.app.get(OrderLifecycleService, { strict: false });
    await lifecycle.applyChange(keys, { action: 'pay', from: 'elsewhere' }, 'test');
    const files = operator.app.get(ParcelFilesService, { strict: false }).shipments;
    const content = ['order_number,courier', ...numbers.map((number) => `${number},Delhivery`)].join('\n');
    const all = await operator.import(files, content, { allOrNothing: true });
    expect(all).toMatchObject({ updated: 0 });
    const { updated, failed } = await operator.import(files, content);
    expect(updated).toBe(95);
    expect(failed.map(({ message }) => message)).toEqual(Array(5).fill(expect.stringContaining(bad!.sku)));
    await test.pool.query(`UPDATE products SET hsn = '1', gst_rate = 0 WHERE sku = $1`, [bad!.sku]);
    expect(await operator.import(files, content, { allOrNothing: true })).toMatchObject({
      updated: 5,
      failed: [],
    });
    const { rows } = await test.pool.query(
      `SELECT count(*)::int AS invoices, count(DISTINCT order_number)::int AS orders
         FROM tax_documents WHERE order_number = ANY ($1)`,
      [numbers],
    );
    expect(rows).toEqual([{ invoices: 100, orders: 100 }]);
  });

  it('are not issued for a row of a file that is refused after an earlier row of its order', async () => {
    const { sku } = await test.fixtures.product();
    const number = await paidOrder([
      [shirt, 2],
      [sku, 1],
    ]);
    const files = operator.app.get(ParcelFilesService, { strict: false }).shipments;
    const rows = ['1=1', '2=1', '1=1'].map((lines, n) => `${number},Delhivery,T${n},${lines}`);
    const content = ['order_number,courier,tracking_number,lines', ...rows].join('\n');
    const { updated, failed } = await operator.import(files, content);
    expect([updated, failed]).toEqual([2, [expect.objectContaining({ line: 3 })]]);
    expect((await documentsOf(number)).map(({ parcel, gross }) => [parcel, gross])).toEqual([
      [1, 210],
      [2, 210],
    ]);
  });

  it('are receipt vouchers for top-ups, once the seller wants them', async () => {
    const vouchers = async () =>
      (
        await test.pool.query(
          `SELECT number, payment_key AS key, order_number, gross::float8, taxable::float8
             FROM tax_documents WHERE kind = 'receipt_voucher' ORDER BY number`,
        )
      ).rows;
    await paidOrder();
    expect(await vouchers()).toEqual([]);
    await test.fixtures.seller({ receiptVouchers: true });
    const number = await paidOrder([[mug, 1]]);
    await test.fixtures.seller();
    expect(await vouchers()).toEqual([
      {
        number: expect.stringMatching(/^RV-\d{4}-0000001$/),
        key: `for:${number}`,
        order_number: number,
        gross: 168,
        taxable: 168,
      },
    ]);
  });

  it('do not exist where there is no such tax', async () => {
    const abroad = await startTestApp({ tax: 'none' }, test.database);
    const number = await paidOrder();
    await abroad.app.get(OrderDeskService, { strict: false }).ship(number, 'test', PARCEL);
    await abroad.close();
    expect(await documentsOf(number)).toEqual([]);
  });
});
