import { Pool } from 'pg';
import { PaymentDeskService } from '../../../src/modules/payments/payment-desk.service.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { all, OperatorServices } from '../../support/operator-services.js';
import { Fixtures } from '../../support/fixtures.js';
import { createTestDatabase } from '../../support/test-database.js';

describe('A bank transfer', () => {
  const database = makeBeforeAll(() => createTestDatabase());
  const operator = makeBeforeAll(() => OperatorServices.open(database.url));
  let pool: Pool;
  let fixtures: Fixtures;
  let clientId: number;
  let made = 0;

  beforeAll(async () => {
    pool = new Pool({ connectionString: database.url });
    fixtures = new Fixtures(pool, () => Promise.resolve());
  });
  beforeEach(async () => ({ clientId } = await fixtures.store()));
  afterEach(async () => expect(await operator.app.get(WalletBooks, { strict: false }).check()).toEqual([]));
  afterAll(() => pool.end());

  const transfers = () => operator.app.get(BankTransfersService, { strict: false });
  const balance = async () =>
    (await operator.app.get(WalletService, { strict: false }).show(clientId)).balance;
  const announce = (utr = `N${String(++made).padStart(15, '0')}`, amount = '5000') =>
    transfers().announce(clientId, amount, utr, 'client');

  const vouchers = async (kind?: string) => {
    const { rows } = await pool.query<{
      kind: string;
      number: string;
      gross: number;
      returns: object[] | null;
    }>(
      `SELECT kind, number, gross::float8, facts->'returns' AS returns FROM tax_documents
        WHERE client_id = $1 AND kind = coalesce($2, kind) ORDER BY issued_at, number`,
      [clientId, kind],
    );
    return rows;
  };

  it('is counted for operators until it is confirmed or refused', async () => {
    const counted = async () =>
      (await operator.app.get(PaymentDeskService, { strict: false }).count()).transfers_announced!;
    const before = await counted();
    const [arrived, missing] = [await announce(), await announce()];
    expect(await counted()).toBe(before + 2);
    await transfers().confirm(arrived.transfer_id, 'operator');
    await transfers().refuse(missing.transfer_id, 'never came', 'operator');
    expect(await counted()).toBe(before);
  });

  it('is credited once when several operators confirm it at the same moment', async () => {
    const { transfer_id: id } = await announce();
    const results = await Promise.allSettled(
      Array.from({ length: 3 }, () => transfers().confirm(id, 'operator')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance()).toBe(5_000);
  });

  it('is recognised by its UTR in any spelling', async () => {
    await announce('n 999 000 111 222 333');
    await expect(announce('N999000111222333')).rejects.toThrow(/N999000111222333 was announced before/);
  });

  it('may be claimed by several clients, and the wholesaler decides between them', async () => {
    const utr = 'N888000111222333';
    const squatter = (await fixtures.store()).clientId;
    const { transfer_id: wrong } = await transfers().announce(squatter, '5000', utr, 'squatter');
    const { transfer_id: right, other_claims: others } = await announce(utr);
    expect(others).toEqual([wrong]);
    expect(await all(transfers().list({ clientId: squatter }))).toMatchObject([{ other_claims: [right] }]);
    await expect(transfers().confirm(wrong, 'operator')).rejects.toThrow(
      `Client ${clientId} claims the UTR ${utr} too, by transfer ${right}`,
    );
    await expect(transfers().confirm(right, 'operator')).rejects.toMatchObject({ code: 'conflict' });
    await transfers().refuse(wrong, 'sent by another client', 'operator');
    expect(await transfers().confirm(right, 'operator')).toMatchObject({ other_claims: [] });
    expect(await balance()).toBe(5_000);
    // A later claim is still listed, and cannot be confirmed.
    const { transfer_id: late, other_claims: confirmed } = await transfers().announce(
      squatter,
      '5000',
      utr,
      'squatter',
    );
    expect(confirmed).toEqual([right]);
    await expect(transfers().confirm(late, 'operator')).rejects.toThrow(/the money is in that wallet/);
  });

  it('credits the tax that the client deducted too, with one receipt for both', async () => {
    await fixtures.seller({ receiptVouchers: true });
    await pool.query("UPDATE clients SET gstin = '27AAPFU0939F1ZV', state = '27' WHERE id = $1", [clientId]);
    const [utr, other] = ['N666000111222333', 'N555000111222333'];
    const { transfer_id: id, tds } = await transfers().announce(
      clientId,
      '999',
      utr,
      'client',
      undefined,
      '1',
    );
    expect(tds).toBe(1);
    await expect(transfers().confirm(id, 'operator', { tds: '250' })).rejects.toMatchObject({
      errors: [{ field: 'tds', message: expect.stringContaining('at most 20 %') as string }],
    });
    await transfers().confirm(id, 'operator');
    expect(await balance()).toBe(1_000);
    const { rows } = await pool.query(
      `SELECT against, amount::float8, note FROM wallet_entries WHERE client_id = $1 ORDER BY entry`,
      [clientId],
    );
    expect(rows).toEqual([
      { against: 'bank', amount: 999, note: utr },
      { against: 'tds', amount: 1, note: `${utr}, TDS under section 393(1), PAN AAPFU0939F` },
    ]);
    expect(await vouchers()).toMatchObject([{ kind: 'receipt_voucher', gross: 1_000, returns: null }]);
    const { transfer_id: second } = await announce(other, '1000');
    expect(await transfers().confirm(second, 'operator', { tds: '5' })).toMatchObject({
      amount: 1_000,
      tds: 5,
    });
    expect(await balance()).toBe(2_005);
  });

  it('is credited with the amount that came, once, with a reason that the client reads', async () => {
    const { transfer_id: id, utr } = await transfers().announce(
      clientId,
      '1000',
      'N777000111222334',
      'client',
      '',
      '250',
    );
    for (const [arrival, field] of [
      [{ amount: '950' }, 'difference'],
      [{ amount: '950', difference: ' ' }, 'difference'],
      [{ amount: '0', difference: 'charges' }, 'amount'],
      [{ amount: '100000000.01', difference: 'charges' }, 'amount'],
      [{ amount: '950', difference: 'charges' }, 'tds'],
    ] as const)
      await expect(transfers().confirm(id, 'operator', arrival)).rejects.toMatchObject({
        errors: [{ field }],
      });
    expect(await balance()).toBe(0);
    const amounts = ['950', '960'];
    const results = await Promise.allSettled(
      amounts.map((amount) =>
        transfers().confirm(id, 'operator', { amount, difference: 'bank charges', tds: '237.5' }),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { received, reason } = await transfers().show(id);
    expect([amounts, reason]).toEqual([expect.arrayContaining([String(received)]), 'bank charges']);
    expect(await balance()).toBe(received! + 237.5);
    const { rows } = await pool.query(
      `SELECT amount::float8, note FROM wallet_entries WHERE client_id = $1 AND against = 'bank'`,
      [clientId],
    );
    const note = `${utr}, reported ₹1,000.00, received ₹${received!.toFixed(2)}: bank charges`;
    expect(rows).toEqual([{ amount: received, note }]);
    const { rows: audited } = await pool.query(
      `SELECT details FROM audit_log WHERE action = 'transfer.confirmed' AND subject = $1`,
      [`transfer ${id}`],
    );
    expect(audited).toMatchObject([{ details: { amount: 1000, received, reason: 'bank charges' } }]);
    const same = await announce(undefined, '100');
    const arrival = { amount: '100.00', difference: 'none' };
    expect(await transfers().confirm(same.transfer_id, 'operator', arrival)).toMatchObject({
      received: null,
      reason: null,
    });
  });

  it('back to the client is a payout, once per reference, that returns the newest receipts', async () => {
    await fixtures.seller();
    await transfers().confirm((await announce(undefined, '100')).transfer_id, 'operator');
    await fixtures.seller({ receiptVouchers: true });
    await transfers().confirm((await announce(undefined, '300')).transfer_id, 'operator');
    await transfers().confirm((await announce(undefined, '200')).transfer_id, 'operator');
    await fixtures.seller();
    const payOut = (amount: string, reference: string, date = '') =>
      transfers().payOut(clientId, { amount, reference, date, bank: 'HDFC 1234' }, 'operator');
    expect(await payOut('250', 'P444000111222331')).toMatchObject({ balance: 350 });
    await expect(payOut('250', 'p444 0001 1122 2331')).rejects.toThrow('already in the wallet');
    await expect(payOut('350.01', 'P444000111222332')).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    const wrong = expect.objectContaining({ errors: [expect.objectContaining({ field: 'date' })] }) as object;
    await expect(payOut('1', 'P444000111222333', '2999-01-01')).rejects.toEqual(wrong);
    const [receipts, refunds] = [await vouchers('receipt_voucher'), await vouchers('refund_voucher')];
    expect(receipts.map(({ gross }) => gross)).toEqual([300, 200]);
    const numbers = receipts.map(({ number }) => number);
    const returned = (at: number, amount: string) =>
      expect.objectContaining({ number: numbers[at], amount }) as object;
    expect(refunds).toMatchObject([
      { gross: 250, number: expect.stringMatching(/^RF-\d{4}-\d{7}$/) as string },
    ]);
    expect(refunds[0]!.returns).toEqual([returned(1, '200.00'), returned(0, '50.00')]);
    // Never more than the receipts: the first transfer has none.
    await payOut('350', 'P444000111222334');
    expect((await vouchers('refund_voucher'))[1]).toMatchObject({
      gross: 250,
      returns: [returned(0, '250.00')],
    });
    expect(await balance()).toBe(0);
    const { rows } = await pool.query<{ note: string }>(
      `SELECT note FROM wallet_entries WHERE client_id = $1 AND kind = 'payout' AND against = 'bank' ORDER BY entry`,
      [clientId],
    );
    expect(rows[0]!.note).toMatch(/^P444000111222331 of \d{4}-\d\d-\d\d, to HDFC 1234$/);
  });

  it('can be announced again after a refusal, but not after a confirmation', async () => {
    const utr = 'N777000111222335';
    const { transfer_id: first } = await announce(utr, '4000');
    expect(await transfers().refuse(first, 'it is 5000', 'operator')).toMatchObject({
      status: 'refused',
      reason: 'it is 5000',
    });
    const { transfer_id: second } = await announce(utr);
    await transfers().confirm(second, 'operator');
    await expect(announce(utr)).rejects.toMatchObject({ code: 'conflict' });
    await expect(transfers().refuse(second, 'too late', 'operator')).rejects.toThrow(/already confirmed/);
    expect(await balance()).toBe(5_000);
  });
});
