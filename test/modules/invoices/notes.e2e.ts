import { orderReturns } from '../../support/order-returns.js';
import { StatementsService } from '../../../src/modules/payments/statements.service.js';
import { dayAt, monthAt } from '../../../src/platform/time/time.js';
import { contradictions } from '../../support/books.js';
import type { Store } from '../../support/fixtures.js';
import { MAHARASHTRA, PARCEL, setUpInvoicing } from '../../support/tax-documents.js';
import { setUpTestApp } from '../../support/test-app.js';

const DAY_MS = 86_400_000;

/** Which amounts a refund credits, and a refund that is taken back debits, is proved by `billing.spec.ts`. */
describe('Credit and debit notes', () => {
  const test = setUpTestApp();
  const orders = setUpInvoicing(test);
  // Checks among others that all credits of a line have the tax of their sum.
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const receiveReturn = async (order: string, line: number, quantity: number, reason: string) => {
    const returns = orderReturns(test.app);
    const { number } = await returns.add(order, { lines: [{ line, quantity }], reason }, 'test');
    await returns.receive(number, { restock: [], refund: true }, 'test');
  };
  const both = (buyer?: Store) =>
    orders.paid(
      [
        [orders.mug, 3],
        [orders.shirt, 2],
      ],
      buyer,
    );
  const changeClient = (id: number, name: string) =>
    test.fixtures.sql('UPDATE clients SET name = $2 WHERE id = $1', [id, name]);

  /** What the documents of an order bill in the end, and its tax. */
  const totalsOf = async (number: string) => {
    const documents = await orders.documents(number);
    const total = (amountOf: (one: (typeof documents)[number]) => number) =>
      documents.reduce((sum, one) => sum + (one.kind === 'credit_note' ? -1 : 1) * amountOf(one), 0);
    const totals = [total(({ gross }) => gross), total(({ gross, taxable }) => gross - taxable)];
    return totals.map((amount) => Number(amount.toFixed(2)) + 0);
  };

  it.each([
    ['within the state', { state: '29' }],
    ['to another state', MAHARASHTRA],
  ])('credit an invoice to the paisa in three odd parts, %s, and name its day', async (_, client) => {
    const number = await orders.shipped([[orders.shirt, 1]], await test.fixtures.store(client));
    const moveInvoice = (days: number) =>
      test.fixtures.rewrite(
        `UPDATE tax_documents SET issued_on = issued_on + $2::int, issued_at = issued_at + $2 * interval '1 day'
          WHERE order_number = $1 AND kind = 'invoice'`,
        [number, days],
      );
    await moveInvoice(-1);
    const { rows } = await test.pool.query<{ day: string }>(
      'SELECT issued_on::text AS day FROM tax_documents WHERE order_number = $1',
      [number],
    );
    for (const amount of ['70.07', '70.08', '69.85']) await orders.refund(number, { amount }, 'scratched');
    await moveInvoice(1);
    const documents = await orders.documents(number);
    const invoice = documents.find(({ kind }) => kind === 'invoice')!;
    const notes = documents.filter(({ kind }) => kind === 'credit_note');
    const against = { number: invoice.number, issued_on: rows[0]!.day };
    expect(notes.map(({ facts }) => facts.against)).toEqual([against, against, against]);
    for (const part of ['gross', 'taxable', 'cgst', 'sgst', 'igst'] as const)
      expect(notes.reduce((sum, note) => sum + note[part], 0)).toBeCloseTo(invoice[part], 9);
  });

  it('follow refunds before, between and after the parcels', async () => {
    const number = await orders.paid(10);
    await orders.refund(number, { lines: ['1=2'] }, 'too dear');
    expect(await orders.inWords(number)).toEqual([]);
    await orders.ship(number, '1=4');
    await orders.refund(number, { amount: '18' }, 'scratched');
    await orders.ship(number);
    await orders.refund(number, { delivery: true }, 'late');
    await receiveReturn(number, 1, 3, 'wrong size');
    expect(await orders.inWords(number)).toEqual([
      'parcel 1: 4 × line 1 472.00, delivery 20.00',
      'credit on invoice 1, refund 1 (too dear): 2 × line 1 236.00',
      'credit on invoice 1, refund 2 (scratched): line 1 16.59, delivery 1.41',
      'parcel 2: 6 × line 1 708.00, delivery 30.00',
      'credit on invoice 1, refund 3 (late): delivery 18.59',
      // A share of less than a rupee is on the largest line.
      'credit on invoice 2, refund 3 (late): line 1 1.41, delivery 30.00',
      'credit on invoice 1, refund 4 (wrong size): 2 × line 1 219.41',
      'credit on invoice 2, refund 4 (wrong size): 1 × line 1 134.59',
    ]);
    expect((await orders.documents(number)).map(({ code }) => code)).toEqual([
      null,
      '01',
      '02',
      null,
      '07',
      '07',
      '01',
      '01',
    ]);
    const { body } = await test.get(orders.store, `/api/orders/${number}`).expect(200);
    const names = (body.documents as { number: string }[]).map((one) => one.number);
    const [invoice, note, , second] = body.documents;
    expect(note).toMatchObject({
      order_number: number,
      parcel: null,
      against: invoice.number,
      refund: 1,
      lines: [{ line: 1, quantity: 2, amount: 236 }],
    });
    expect(second).toMatchObject({
      kind: 'invoice',
      parcel: 2,
      against: null,
      refund: null,
      lines: [
        { line: 1, quantity: 6, amount: 708 },
        { line: 0, quantity: 1, amount: 30 },
      ],
    });
    expect(body.refunds).toMatchObject([
      { refund: 1, kind: 'lines', amount: 236, delivery: 0, documents: [names[1]] },
      { refund: 2, kind: 'amount', amount: 18, delivery: 0, lines: [], documents: [names[2]] },
      { refund: 3, kind: 'delivery', amount: 50, delivery: 50, lines: [], documents: names.slice(4, 6) },
      {
        refund: 4,
        kind: 'returned',
        amount: 354,
        reason: 'wrong size',
        lines: [{ line: 1, quantity: 3, amount: 354 }],
        return_number: body.returns[0].number,
        documents: names.slice(6),
      },
    ]);
    expect((await test.get(orders.store, `/api/orders/${number}/documents`)).body.documents).toEqual(
      body.documents,
    );
  });

  it('of an amount change no tax if they are commercial, also on an invoice that is issued again', async () => {
    const buyer = await test.fixtures.store({ name: 'Wrong', state: '29' });
    const number = await orders.shipped(1, buyer);
    await orders.refund(number, { amount: '20' }, 'agreed');
    const given = { amount: '30', reason: 'for the season', commercial: true, reasonCode: '07' };
    await orders.desk.refund(number, 'test', given);
    await orders.takeBack(number, 2, '10');
    await changeClient(buyer.clientId, 'Right');
    await orders.desk.undo(number, 'test', { action: 'reissue', reason: 'name' });
    const notes = (await orders.documents(number)).filter(({ kind }) => kind !== 'invoice');
    const found = notes.map(({ kind, code, commercial, gross, taxable }) => [
      `${kind} ${code}`,
      commercial,
      gross,
      taxable === gross,
    ]);
    expect(found).toEqual([
      ['credit_note 02', false, 20, false],
      ['credit_note 07', true, 30, true],
      ['debit_note 07', true, 10, true],
      ['debit_note 04', true, 20, true],
      ['credit_note 04', false, 148, false],
      ['credit_note 02', false, 20, false],
      ['credit_note 07', true, 20, true],
    ]);
    for (const part of [{ lines: ['1=1'] }, { delivery: true }])
      await expect(
        orders.desk.refund(number, 'test', { ...part, reason: 'x', commercial: true }),
      ).rejects.toThrow('Only a refund of an amount can have a commercial credit note.');
    await expect(
      orders.desk.refund(number, 'test', { amount: '1', reason: 'x', reasonCode: '8' }),
    ).rejects.toThrow('The code of the reason is one of 01 (Sales return)');
  });

  it.each([false, true])(
    'of an amount, commercial %s, keep the tax of the order when an invoice is issued again and again',
    async (commercial) => {
      const buyer = await test.fixtures.store({ name: 'Wrong', state: '29' });
      const number = await orders.paid(
        [
          [orders.mug, 5],
          [orders.shirt, 5],
        ],
        buyer,
      );
      await orders.ship(number, '1=5');
      await orders.ship(number);
      await orders.desk.refund(number, 'test', { amount: '400', reason: 'late', commercial });
      const before = await totalsOf(number);
      const [, second] = await orders.documents(number);
      const ofSecond = async () =>
        (await orders.documents(number)).filter(({ against }) => against === second!.number).length;
      const notes = await ofSecond();
      for (const name of ['Right', 'Better']) {
        await changeClient(buyer.clientId, name);
        await orders.desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'name' });
        expect(await totalsOf(number)).toEqual(before);
      }
      expect(await ofSecond()).toBe(notes);
    },
  );

  it('name each refund on an invoice that is issued again, so one can be taken back alone', async () => {
    const buyer = await test.fixtures.store({ name: 'Wrong', state: '29' });
    const number = await both(buyer);
    await orders.ship(number);
    await orders.refund(number, { amount: '100' }, 'late');
    const before = await totalsOf(number);
    await orders.refund(number, { lines: ['1=2'] }, 'broken');
    await changeClient(buyer.clientId, 'Right');
    await orders.desk.undo(number, 'test', { action: 'reissue', reason: 'name' });
    const notes = (await orders.documents(number)).filter(({ kind }) => kind !== 'invoice');
    expect(notes.map(({ refund, code }) => [refund, code])).toEqual([
      [1, '02'],
      [2, '01'],
      [null, '04'],
      [1, '02'],
      [2, '01'],
    ]);
    // All units have come back or are taken back, so table 12 of the return counts none.
    expect(notes[2]!.items).toMatchObject([
      { line: 1, quantity: 1 },
      { line: 2, quantity: 2 },
      { line: 0 },
      { line: 0 },
    ]);
    await orders.takeBack(number, 2);
    expect(await totalsOf(number)).toEqual(before);
  });

  it('of units take all tax from their line after a commercial one, which moves to other lines', async () => {
    const taxAfter = async (change: (number: string) => Promise<unknown>) => {
      const number = await both();
      await orders.ship(number);
      const whole = await totalsOf(number);
      await change(number);
      await orders.refund(number, { lines: ['1=3'] }, 'broken');
      const [gross, tax] = await totalsOf(number);
      return { number, whole, credited: whole[0]! - gross!, tax };
    };
    const plain = await taxAfter(() => Promise.resolve());
    const agreed = { amount: '150', reason: 'agreed', commercial: true };
    const { number, whole, ...rest } = await taxAfter((order) => orders.desk.refund(order, 'test', agreed));
    expect(rest).toEqual({ credited: plain.credited + 150, tax: plain.tax });
    expect((await orders.inWords(number)).slice(2)).toEqual([
      'debit on invoice 1, refund 1 (agreed): line 1 64.44',
      'credit on invoice 1, refund 2 (broken): 3 × line 1 354.00',
      'credit on invoice 1, refund 1 (agreed): line 2 57.58, delivery 3.14, delivery 3.72',
    ]);
    await orders.takeBack(number, 2);
    await orders.takeBack(number, 1);
    expect(await totalsOf(number)).toEqual(whole);
  });

  it('leave no tax on an invoice that is taken back after a commercial one', async () => {
    const number = await orders.shipped(1);
    await orders.desk.refund(number, 'test', { amount: '168', reason: 'late', commercial: true });
    await orders.desk.undo(number, 'test', { action: 'withdraw', reason: 'stopped' });
    expect(await totalsOf(number)).toEqual([0, 0]);
    await orders.ship(number);
    const [gross, tax] = await totalsOf(number);
    expect([gross, tax]).toEqual([0, (await orders.documents(number))[0]!.cgst * 2]);
  });

  it('copy their invoice when client and product have changed', async () => {
    const buyer = await test.fixtures.store({ name: 'Old name', state: '29' });
    const { sku } = await test.fixtures.product({ hsn: '6912', gstRate: '12' });
    const number = await orders.shipped([[sku, 2]], buyer);
    await test.fixtures.sql(`UPDATE clients SET name = 'New name', state = '27' WHERE id = $1`, [
      buyer.clientId,
    ]);
    await test.fixtures.sql('UPDATE products SET gst_rate = 40 WHERE sku = $1', [sku]);
    await orders.refund(number, { lines: ['1=1'] }, 'broken');
    const copied = { place: '29', items: [{ rate: 12 }], facts: { client: { name: 'Old name' } } };
    expect(await orders.documents(number)).toMatchObject([copied, copied]);
  });

  describe('of an invoice that was wrong', () => {
    const withdraw = (number: string) =>
      orders.desk.undo(number, 'test', { action: 'withdraw', reason: 'a mistake' });
    const reissue = (number: string, parcel?: number) =>
      orders.desk.undo(number, 'test', { action: 'reissue', parcel, reason: 'wrong name' });

    it('credit all of it with a parcel that never left, and the next parcel has a new one', async () => {
      const number = await orders.paid(10);
      await orders.ship(number, '1=4');
      await orders.refund(number, { lines: ['1=1'] }, 'broken');
      await orders.ship(number);
      await orders.refund(number, { amount: '100' }, 'late');
      // A further box has no goods.
      await orders.desk.ship(number, 'test', { ...PARCEL, trackingNumber: 'BOX2' }, []);
      const before = await orders.inWords(number);
      await withdraw(number);
      expect(await orders.inWords(number)).toEqual(before);
      await withdraw(number);
      // The part of the refund that the second invoice bore is now on the first one.
      expect((await orders.inWords(number)).slice(before.length)).toEqual([
        'credit on invoice 2 (a mistake): 6 × line 1 644.33, delivery 27.30',
        'credit on invoice 1, refund 2 (late): line 1 62.82, delivery 3.55',
      ]);
      const [first] = await orders.documents(number);
      await orders.refund(number, { amount: '50' }, 'sorry');
      const sorry = (await orders.documents(number)).at(-1);
      expect(sorry).toMatchObject({ refund: 3, gross: 50, against: first!.number });
      await orders.ship(number);
      const last = (await orders.documents(number)).at(-1)!;
      expect(last).toMatchObject({ parcel: 2, edition: 2, gross: 738 });
      const [, second] = (await orders.documents(number)).filter(({ kind }) => kind === 'invoice');
      expect(last.facts).toMatchObject({ replaces: { number: second!.number } });
      // Once more, and then nothing of the order is left.
      await withdraw(number);
      await orders.desk.cancel(number, 'test', { reason: 'out of stock' });
      await withdraw(number);
      await orders.desk.cancel(number, 'test', { reason: 'no more' });
      const billed = (await orders.documents(number)).map(({ kind, gross }) =>
        kind === 'credit_note' ? -gross : gross,
      );
      expect(billed.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(0, 9);
    });

    it('are none for a withdrawn parcel of which all was credited', async () => {
      const number = await orders.shipped([[orders.shirt, 1]]);
      await orders.refund(number, { lines: ['1=1'] }, 'broken');
      await withdraw(number);
      await orders.ship(number);
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 1 × line 1 210.00',
        'credit on invoice 1, refund 1 (broken): 1 × line 1 210.00',
        'parcel 1, edition 2: 1 × line 1 210.00',
        'credit on invoice 2, refund 1 (broken): 1 × line 1 210.00',
      ]);
    });

    it('are none if its units leave again without an invoice, and the books still add up', async () => {
      const number = await orders.paid([[orders.shirt, 3]]);
      await orders.ship(number, '1=2');
      await orders.refund(number, { lines: ['1=2'] }, 'broken');
      await withdraw(number);
      await orders.desk.ship(number, 'test', PARCEL, ['1=1'], 'sample');
      await orders.desk.cancel(number, 'test', { reason: 'sold out' });
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 2 × line 1 420.00',
        'credit on invoice 1, refund 1 (broken): 2 × line 1 420.00',
      ]);
    });

    it('do not count for a later parcel of the same order', async () => {
      const number = await orders.paid([[orders.shirt, 2]]);
      await orders.ship(number, '1=1');
      await orders.ship(number);
      await orders.refund(number, { lines: ['1=2'] }, 'broken');
      await withdraw(number);
      await withdraw(number);
      await orders.ship(number);
      expect(await totalsOf(number)).toEqual([0, 0]);
      expect((await orders.inWords(number)).slice(-2)).toEqual([
        'parcel 1, edition 2: 2 × line 1 420.00',
        expect.stringMatching(/^credit on invoice 3, refund 1 \(broken\): 2 × line 1 420\.00$/) as string,
      ]);
    });

    it('credit all of it when it is issued again with the refunds so far and the tax data of now', async () => {
      const buyer = await test.fixtures.store({ name: 'Wrong Shop', state: '29' });
      const { sku } = await test.fixtures.product({ basePrice: '100.00', hsn: '6912', gstRate: '12' });
      const number = await orders.paid([[sku, 3]], buyer);
      await orders.ship(number, '1=1');
      await orders.ship(number);
      await orders.refund(number, { lines: ['1=1'] }, 'broken');
      const [wrong] = await orders.documents(number);
      const same = `The new invoice would be the same as ${wrong!.number}.`;
      await expect(reissue(number, 1)).rejects.toThrow(same);
      await test.fixtures.sql('UPDATE products SET gst_rate = 18 WHERE sku = $1', [sku]);
      await test.fixtures.sql(
        `UPDATE clients SET gstin = $2, state = $3, name = 'Right Shop' WHERE id = $1`,
        [buyer.clientId, MAHARASHTRA.gstin, MAHARASHTRA.state],
      );
      expect(await reissue(number, 1)).toMatchObject({ status: 'shipped', changes: [] });
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 1 × line 1 100.00',
        'parcel 2: 2 × line 1 200.00',
        'credit on invoice 1, refund 1 (broken): 1 × line 1 100.00',
        'parcel 1, edition 2: 1 × line 1 100.00',
        'credit on invoice 3, refund 1 (broken): 1 × line 1 100.00',
      ]);
      const repeated = (await orders.documents(number)).find(({ edition }) => edition === 2)!;
      expect(repeated).toMatchObject({
        cgst: 0,
        items: [{ rate: 18 }],
        facts: {
          client: { name: 'Right Shop', gstin: MAHARASHTRA.gstin },
          replaces: { number: wrong!.number },
        },
      });
      await expect(reissue(number, 1)).rejects.toThrow('would be the same as');
    });

    it('credit free units too when it is issued again, or table 12 would count them twice', async () => {
      const buyer = await test.fixtures.store({ name: 'Wrong Free', state: '29' });
      const { sku } = await test.fixtures.product({ basePrice: '0', hsn: '6912', gstRate: '18' });
      const number = await orders.shipped(
        [
          [orders.shirt, 1],
          [sku, 2],
        ],
        buyer,
      );
      await changeClient(buyer.clientId, 'Right');
      await reissue(number);
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 1 × line 1 210.00, 2 × line 2 0.00',
        'parcel 1, edition 2: 1 × line 1 210.00, 2 × line 2 0.00',
        'credit on invoice 1 (wrong name): 1 × line 1 210.00, 2 × line 2 0.00',
      ]);
    });

    it('credit what is left of it after a refund that was taken back', async () => {
      const buyer = await test.fixtures.store({ name: 'Twice Wrong', state: '29' });
      const number = await orders.shipped(1, buyer);
      await orders.refund(number, { amount: '168' }, 'all');
      await orders.takeBack(number, 1);
      await changeClient(buyer.clientId, 'Right');
      await reissue(number);
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 1 × line 1 118.00, delivery 50.00',
        'credit on invoice 1, refund 1 (all): line 1 118.00, delivery 50.00',
        'debit on invoice 1, refund 2 (wrong 1): line 1 118.00, delivery 50.00',
        'parcel 1, edition 2: 1 × line 1 118.00, delivery 50.00',
        'credit on invoice 1 (wrong name): 1 × line 1 118.00, delivery 50.00',
      ]);
    });
  });

  describe('of a refund that is taken back', () => {
    const statementOf = async (clientId: number) => {
      const statements = test.app.get(StatementsService, { strict: false });
      const { entries, documents } = await statements.show(clientId, monthAt(Date.now(), 'Asia/Kolkata'));
      const refunds = entries.filter(({ what }) => what.startsWith('Refund') || what === 'Order refunded');
      return [refunds.map(({ amount }) => amount), documents!.map(({ number }) => number)];
    };

    it('debit what was credited, in part or in full, with the same tax, and stand in the statement', async () => {
      const buyer = await test.fixtures.store({ state: '29' });
      const number = await orders.shipped(10, buyer);
      await orders.refund(number, { amount: '600' }, 'meant 60');
      const displayed = await orders.takeBack(number, 1, '540');
      expect(displayed).toMatchObject({ refunded_amount: 60, payment_status: 'paid', status: 'shipped' });
      // Its repetition does nothing.
      expect(await orders.takeBack(number, 1, '540')).toEqual(displayed);
      await orders.takeBack(number, 1);
      await expect(orders.takeBack(number, 1, '0.01')).rejects.toThrow(
        'Refund 1 has nothing left to take back.',
      );
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 10 × line 1 1180.00, delivery 50.00',
        'credit on invoice 1, refund 1 (meant 60): line 1 575.61, delivery 24.39',
        'debit on invoice 1, refund 2 (wrong 1): line 1 518.05, delivery 21.95',
        'debit on invoice 1, refund 3 (wrong 1): line 1 57.56, delivery 2.44',
      ]);
      const [invoice, credit, ...debits] = await orders.documents(number);
      expect(debits.map(({ facts }) => facts.against)).toMatchObject([
        { number: invoice!.number },
        { number: invoice!.number },
      ]);
      expect(debits[0]!.number).toMatch(/^DN-/);
      expect(await statementOf(buyer.clientId)).toEqual([
        [600, -540, -60],
        [invoice, credit, ...debits].map((one) => one!.number),
      ]);
    });

    it('debit units, the delivery and returns', async () => {
      const number = await orders.shipped([
        [orders.mug, 3],
        [orders.shirt, 2],
      ]);
      await orders.refund(number, { lines: ['1=3', '2=1'] }, 'meant one');
      await orders.takeBack(number, 1);
      await orders.refund(number, { lines: ['1=1'] }, 'broken');
      await orders.refund(number, { delivery: true }, 'late');
      await orders.takeBack(number, 4);
      await expect(orders.refund(number, { delivery: true }, 'after all')).rejects.toThrow(
        'If that was taken back, refund an amount.',
      );
      await receiveReturn(number, 2, 2, 'small');
      expect(await orders.takeBack(number, 6)).toMatchObject({
        refunded_amount: 118,
        items: [{ refunded: 1 }, { refunded: 0 }],
        returns: [{ refunded: 0 }],
      });
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 3 × line 1 354.00, 2 × line 2 420.00, delivery 22.87, delivery 27.13',
        'credit on invoice 1, refund 1 (meant one): 3 × line 1 354.00, 1 × line 2 210.00',
        'debit on invoice 1, refund 2 (wrong 1): 3 × line 1 354.00, 1 × line 2 210.00',
        'credit on invoice 1, refund 3 (broken): 1 × line 1 118.00',
        'credit on invoice 1, refund 4 (late): delivery 22.87, delivery 27.13',
        'debit on invoice 1, refund 5 (wrong 4): delivery 22.87, delivery 27.13',
        'credit on invoice 1, refund 6 (small): 2 × line 2 420.00',
        'debit on invoice 1, refund 7 (wrong 6): 2 × line 2 420.00',
      ]);
    });

    it('are none while the credit waits, and the note of the parcel has the reason of the refund that stays', async () => {
      const buyer = await test.fixtures.store({ state: '29' });
      // A refund of another order has the number and the amount of the one that is taken back.
      const [other, number] = [await orders.paid(4, buyer), await orders.paid(4, buyer)];
      for (const amount of ['10', '118']) await orders.refund(other, { amount }, 'late');
      await orders.refund(number, { amount: '18' }, 'late');
      await orders.refund(number, { lines: ['1=1'] }, 'wrong order');
      await orders.takeBack(number, 2);
      for (const one of [number, other]) await orders.ship(one);
      expect(await orders.inWords(number)).toEqual([
        'parcel 1: 4 × line 1 472.00, delivery 50.00',
        'credit on invoice 1, refund 1 (late): line 1 16.28, delivery 1.72',
      ]);
    });

    it('have keys of their own, and a refund is not repeated in silence after it', async () => {
      const number = await orders.shipped(2);
      const refund = { amount: '60', reason: 'late', key: 'second' };
      await orders.desk.refund(number, 'test', refund);
      const back = { refund: 1, reason: 'no' };
      await expect(orders.desk.takeBack(number, 'test', { ...back, key: 'second' })).rejects.toThrow(
        'Another refund of the order has this key already.',
      );
      await orders.desk.takeBack(number, 'test', back);
      await expect(orders.desk.refund(number, 'test', refund)).rejects.toThrow(
        'This is refund 1, which was taken back. Give a new one another key.',
      );
      expect(await orders.desk.refund(number, 'test', { ...refund, key: 'third' })).toMatchObject({
        refunded_amount: 60,
      });
      const insert = test.pool.query(
        `INSERT INTO order_refunds (client_id, order_number, refund, kind, takes_back, amount, reason, key, actor,
                                    refunded_at)
         VALUES ($1, $2, 9, 'taken_back', 1, -0.01, 'x', 'x', 'x', now())`,
        [orders.store.clientId, number],
      );
      await expect(insert).rejects.toThrow('more of a refund is taken back than it paid');
    });
  });

  describe('of goods that left long ago', () => {
    const leftAt = new Date(Date.now() - 799 * DAY_MS);

    /** An order for a registered client, which was placed a day before. */
    const oldOrder = async (mugs: number) => {
      const number = await orders.paid(mugs, await test.fixtures.store(MAHARASHTRA));
      await test.fixtures.age(24 * 800, number);
      return number;
    };

    it('have no tax after 30 November of the next financial year, nor have their debits', async () => {
      const number = await oldOrder(5);
      // The time for a credit of tax is over for this parcel. The other one leaves today.
      await orders.desk.ship(number, 'test', { ...PARCEL, shippedAt: leftAt }, ['1=3']);
      await orders.ship(number);
      await orders.refund(number, { amount: '64' }, 'late');
      await orders.refund(number, { lines: ['1=1'] }, 'broken');
      await orders.takeBack(number, 1, '32');
      for (const refund of [1, 2]) await orders.takeBack(number, refund);
      const year = Number(dayAt(leftAt, 'Asia/Kolkata').slice(0, 4));
      const ended = `${dayAt(leftAt, 'Asia/Kolkata').slice(5) < '04-01' ? year : year + 1}-11-30`;
      const [old, recent, ...notes] = await orders.documents(number);
      const late = [old!.number, 0, ended];
      const usual = (igst: number) => [recent!.number, igst, null];
      expect(notes.map((note) => [note.against, note.igst, note.ended])).toEqual([
        late,
        usual(3.91),
        late,
        late,
        usual(1.96),
        late,
        usual(1.95),
        late,
      ]);
      await expect(
        orders.desk.undo(number, 'test', { action: 'reissue', parcel: 1, reason: 'wrong name' }),
      ).rejects.toThrow(
        `${old!.number} cannot be issued again: the time for a credit of tax ended on 30 Nov`,
      );
    });

    it('refuse to undo its shipment: the next invoice would tax the goods again', async () => {
      const number = await oldOrder(1);
      await orders.desk.ship(number, 'test', { ...PARCEL, shippedAt: leftAt });
      const [invoice] = await orders.documents(number);
      await expect(
        orders.desk.undo(number, 'test', { action: 'withdraw', reason: 'stopped' }),
      ).rejects.toThrow(
        `${invoice!.number} cannot be issued again: the time for a credit of tax ended on 30 Nov`,
      );
      expect(await orders.documents(number)).toEqual([invoice]);
      expect(await orders.desk.show(number)).toMatchObject({ status: 'shipped' });
      const other = await oldOrder(1);
      await orders.ship(other);
      await orders.desk.undo(other, 'test', { action: 'withdraw', reason: 'stopped' });
      await orders.ship(other);
      await orders.refund(other, { lines: ['1=1'] }, 'broken');
      const notes = (await orders.documents(other)).filter(({ kind }) => kind === 'credit_note');
      expect(notes.map(({ ended, igst }) => [ended === null, igst])).toEqual([
        [true, 25.63],
        [true, 18],
      ]);
    });
  });
});
