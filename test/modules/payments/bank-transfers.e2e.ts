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
  beforeEach(async () => {
    ({ clientId } = await fixtures.store());
  });
  afterEach(async () => {
    expect(await operator.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });
  afterAll(async () => {
    await pool.end();
  });

  const transfers = () => operator.app.get(BankTransfersService, { strict: false });
  const balance = async () =>
    (await operator.app.get(WalletService, { strict: false }).show(clientId)).balance;
  const announce = (utr = `N${String(++made).padStart(15, '0')}`, amount = '5000') =>
    transfers().announce(clientId, amount, utr, 'client');

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

  it('can be announced again after a refusal, but not after a confirmation', async () => {
    const utr = 'N777000111222333';
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
