import { hiddenFields, readable } from '../support/page-text.js';
import { answerOf, runCommand, runCommandOn } from '../support/run-command.js';
import { signIn, signInAtDesk } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';

/** Commands, the pages of dashboard and desk, and files read a typed amount by one function. */
describe('An amount', () => {
  const test = setUpTestApp();
  let made = 0;

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const utr = () => `N${String(++made).padStart(15, '0')}`;

  /** The ways in which this text reaches the service, with the amount that each of them stores. */
  async function storedAs(text: string): Promise<Record<string, string | undefined>> {
    const { clientId } = await test.fixtures.store();
    const [owner, admin] = [await signIn(test, clientId), await signInAtDesk(test)];
    const transferOf = async (number: string) =>
      (
        await test.pool.query<{ amount: string }>('SELECT amount FROM bank_transfers WHERE utr = $1', [
          number,
        ])
      ).rows[0]?.amount;
    const adjustments = async () => {
      const { rows } = await test.pool.query<{ amount: string }>(
        `SELECT details->>'amount' AS amount FROM audit_log WHERE action = 'wallet.adjusted' AND client_id = $1
          ORDER BY id`,
        [clientId],
      );
      return rows.map(({ amount }) => Number(amount).toFixed(2));
    };

    const [byCommand, byForm] = [utr(), utr()];
    await run('transfer', 'announce', String(clientId), text, byCommand);
    await owner.post('/dashboard/wallet/transfers', { sent: text, utr: byForm });

    await run('wallet', 'adjust', String(clientId), text, '--reason', 'a test');
    const [adjustedByCommand] = await adjustments();
    const path = `/desk/clients/${clientId}/wallet/adjust`;
    const review = await admin.post(path, { amount: text, reason: 'a test' });
    if (review.status === 200) await admin.post(path, { ...hiddenFields(review.text), step: 'confirm' });
    const adjustedByForm = (await adjustments())[adjustedByCommand === undefined ? 0 : 1];

    await run('wallet', 'auto-pay', String(clientId), '--on', '--order-cap', text);
    const { rows } = await test.pool.query<{ cap: string | null }>(
      'SELECT order_cap AS cap FROM auto_pay WHERE client_id = $1',
      [clientId],
    );

    const sku = `AMOUNT-${made}`;
    const file = `sku,name,base_price,delivery_charge\n${sku},Mug,"${text}",0\n`;
    await runCommandOn(file, test.database.url, 'catalog', 'import', '-');
    const { rows: products } = await test.pool.query<{ price: string }>(
      'SELECT base_price AS price FROM products WHERE sku = $1',
      [sku],
    );
    return {
      'transfer by command': await transferOf(byCommand),
      'transfer by form': await transferOf(byForm),
      'adjustment by command': adjustedByCommand,
      'adjustment by form': adjustedByForm,
      'cap by command': rows[0]?.cap ?? undefined,
      'price by file': products[0]?.price,
    };
  }

  it.each([
    ['2500', '2500.00'],
    ['2,500.5', '2500.50'],
    ['₹1,00,000', '100000.00'],
    ['Rs. 499/-', '499.00'],
    [' 12.50 INR ', '12.50'],
  ])('%j is read alike everywhere', async (text, amount) => {
    expect(Object.entries(await storedAs(text))).toEqual(
      Object.keys(await storedAs(text)).map((way) => [way, amount]),
    );
  });

  it.each(['2,50', '1.005', 'free', '₹', '1e3'])('%j is refused everywhere', async (text) => {
    expect(new Set(Object.values(await storedAs(text)))).toEqual(new Set([undefined]));
  });

  it('is refused with its fault at its field, and in the answer of the command', async () => {
    const { clientId } = await test.fixtures.store();
    const owner = await signIn(test, clientId);
    const { text, status } = await owner.post('/dashboard/wallet/transfers', { sent: '2,50', utr: utr() });
    expect([status, readable(text)]).toEqual([422, expect.stringContaining('plain number such as 12.50')]);
    await expect(
      answerOf(test.database.url, 'transfer', 'announce', String(clientId), '2,50', utr()),
    ).rejects.toThrow('plain number such as 12.50');
  });
});
