import { Database, type Transaction } from '../../../src/platform/database/database.js';
import { adjustment, orderPayment, type Posting } from '../../../src/modules/wallet/rules/posting.js';
import { AlreadyPostedError } from '../../../src/modules/wallet/wallet.repository.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { orderBody } from '../../support/order-body.js';
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
  afterEach(async () => {
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

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
      {
        entry: 1,
        kind: 'adjustment',
        amount: 500,
        balance_after: 500,
        note: 'paid in',
        actor: 'test',
      },
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
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    const { order_number: number } = body as { order_number: string };
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
});
