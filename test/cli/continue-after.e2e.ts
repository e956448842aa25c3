import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

const WAITS = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('invoice continue-after', () => {
  const test = setUpTestApp();
  let store: Store;
  let sku: string;
  let invoice: string;
  beforeAll(async () => {
    await test.fixtures.seller();
    store = await test.fixtures.store({ name: 'Asha Traders', state: '29' });
    const tax = { hsn: '6912', gstRate: '18', unit: 'PCS' };
    ({ sku } = await test.fixtures.product({ basePrice: '118.00', stock: 100, ...tax }));
    invoice = await nextInvoice('WEB-7');
  });

  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const paid = (id: string) =>
    placeAndMove(test, store, orderBody([{ sku, quantity: 3 }], { store_order_id: id }), 'pay');

  const skip = (number: string, ...more: string[]) =>
    runCommand(test.database.url, 'invoice', 'continue-after', number, '--by', 'asha', ...more);
  const skips = async () => {
    const filter = ['--action', 'series.continued', '--all'];
    return answer<{ subject: string; actor: string; details: object }[]>('audit', 'list', ...filter);
  };
  const nextInvoice = async (id: string) => {
    const number = await paid(id);
    await moveOrder(test, store, number, 'ship');
    return (await answer<{ number: string }[]>('invoice', 'list', '--search', number))[0]!.number;
  };
  const plus = (number: string, more: number) =>
    number.slice(0, -7) + String(Number(number.slice(-7)) + more).padStart(7, '0');

  it('continues the series after the last number that was issued, which is never used again', async () => {
    const last = await nextInvoice('WEB-11');
    const [from, to] = [plus(last, 1), plus(last, 5)];
    expect(await skip(to)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`--yes skips ${from} to ${to}, 5 in all`),
    });
    expect(await skips()).toEqual([]);
    expect(await skip(` ${to.toLowerCase()}`, '--yes')).toMatchObject({
      exitCode: 0,
      stdout: `Skipped ${from} to ${to}, 5 in all. The next number is the one after ${to}.\n`,
    });
    const entry = { actor: 'asha', subject: `series ${to.slice(0, 8)}`, details: { from, to, count: 5 } };
    expect(await skips()).toMatchObject([entry]);
    for (const earlier of [to, last])
      expect(await skip(earlier)).toMatchObject({
        exitCode: 0,
        stdout: `Nothing to skip: the last number is ${to} already.\n`,
      });
    expect(await nextInvoice('WEB-12')).toBe(plus(to, 1));
    expect(await contradictions(test.pool)).toEqual([]);
  });

  it('keeps documents waiting until the operator names the last numbers, or none', async () => {
    const last = await nextInvoice('WEB-14');
    const number = await paid('WEB-15');
    await test.pool.query('UPDATE history SET restored_at = now()');
    await expect(moveOrder(test, store, number, 'ship')).rejects.toThrow('"invoice continue-after"');
    const year = last.split('-')[1];
    const none = ['invoice', 'continue-after', '--by', 'asha'];
    expect((await runCommand(test.database.url, ...none)).stderr).toContain(
      '--yes skips no number. Other series go on after ',
    );
    await expect(moveOrder(test, store, number, 'ship')).rejects.toThrow('"invoice continue-after"');
    const skipped = await skip(plus(last, 2), `CN-${year}-0000009`, '--yes');
    expect(skipped.stdout).toMatch(/^Skipped INV-.*, 2 in all; CN-/);
    await moveOrder(test, store, number, 'ship');
    expect((await answer<{ number: string }[]>('invoice', 'list', '--search', number))[0]!.number).toBe(
      plus(last, 3),
    );
    expect((await runCommand(test.database.url, ...none)).stdout).toBe(
      'Nothing to skip: no backup was restored.\n',
    );
    expect((await skip(plus(last, 4), plus(last, 5))).stderr).toContain('Name one number of INV-');
    expect(await contradictions(test.pool)).toEqual([]);
  });

  it('may begin a series with a number that is not the first', async () => {
    const [, year] = invoice.split('-');
    expect((await skip(`RV-${year}-0000002`, '--yes')).stdout).toContain('2 in all');
    await test.fixtures.seller({ receiptVouchers: true });
    const number = await paid('WEB-13');
    await test.fixtures.seller();
    const [voucher] = await answer<{ number: string }[]>('invoice', 'list', '--search', number);
    expect(voucher!.number).toBe(`RV-${year}-0000003`);
    expect((await skip(`RV-${year}-0000005`, '--yes')).stdout).toContain('2 in all');
    expect(await contradictions(test.pool)).toEqual([]);
  });

  it('waits for documents that are being issued', async () => {
    const holder = await test.pool.connect();
    try {
      await holder.query('BEGIN; SELECT FROM sellers FOR UPDATE');
      const skipped = skip(invoice, '--yes');
      await eventually(async () => (await test.pool.query(WAITS)).rowCount === 1);
      await holder.query('COMMIT');
      expect((await skipped).exitCode).toBe(0);
    } finally {
      holder.release(true);
    }
  });

  it('takes no number of another year, no half number and no other role', async () => {
    const before = await skips();
    for (const [number, url, message] of [
      ['INV-1920-0000009', test.database.url, 'Only series of this financial year can go on, such as INV-'],
      ['INV-9', test.database.url, 'Give a complete document number, such as INV-2627-0000001.'],
      [plus(invoice, 99), test.database.serviceUrl, 'Only the owner of the database may skip numbers.'],
    ] as const)
      expect(await runCommand(url, 'invoice', 'continue-after', number, '--yes')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(message),
      });
    expect(await skips()).toEqual(before);
  });
});
