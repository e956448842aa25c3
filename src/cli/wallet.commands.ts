import type { TestMoneyRow } from '../modules/payments/payments.repository.js';
import type { WalletView } from '../modules/wallet/wallet.service.js';
import { table, tableAnswer } from './answer.js';
import type { CliCommand } from './command.js';
import { ACCEPT_REFERENCE, withOrderNumber, readNumbers } from './order-changes.commands.js';

const PAID_COLUMNS = ['order_number', 'client_id', 'client', 'status', 'payment_status', 'total'] as const;

export function addWalletCommands(program: CliCommand): void {
  const wallet = program.group('wallet', 'wallets: the money of the clients');

  wallet
    .add('show', 'Shows the balance of a client.')
    .forClient()
    .does(async ({ wallets }, id) => {
      const view = await wallets.show(id);
      return { json: view, text: `${describeWallet(view)}.\n` };
    });

  wallet
    .add('history', 'Lists the entries of a wallet, the newest first.')
    .withLimit()
    .forClient()
    .lists(
      'No entries.',
      ({ wallets }, id, { limit }) => wallets.history(id, limit),
      ({ against, payment_id, ...line }) => line,
    );

  wallet
    .add('adjust', 'Corrects a wallet by hand.')
    .usage('[options] <client> <±amount>')
    .forClient()
    .argument('<±amount>', 'how much to add or, with a minus, to take, such as 250 or -12.50')
    .requiredOption('--reason <text>', 'the reason, kept with the entry')
    .option('--force', ACCEPT_REFERENCE)
    .by()
    .does(async ({ wallets }, id, amount, { reason, force, by }) => {
      const view = await wallets.adjust(id, amount, reason, by, { acceptedUses: force && 'any' });
      return { json: view, text: `${describeWallet(view)} now.\n` };
    });

  wallet
    .add('pay-out', 'Records money of a wallet that you sent to the bank account of the client.')
    .forClient()
    .argument('<amount>', 'how much, such as 2500.00')
    .requiredOption('--reference <utr>', 'the number that the bank gave')
    .option('--date <date>', 'the day on the bank statement (today)')
    .option('--bank <account>', 'the account that got it')
    .by()
    .does(async ({ transfers }, id, amount, { date = '', bank = '', by, ...form }) => {
      const view = await transfers.payOut(id, { amount, date, bank, ...form }, by);
      return { json: view, text: `${describeWallet(view)} now.\n` };
    });

  withOrderNumber(
    wallet.add('pay', 'Pays orders from the wallets of their clients: all of them, or none.'),
    '<order...>',
    readNumbers,
  )
    .by()
    .does(async ({ orders }, numbers, { by }) =>
      tableAnswer(await orders.payFromWallet(numbers, by), PAID_COLUMNS),
    );

  wallet
    .add('auto-pay', 'Shows or changes the automatic payment of new orders from the wallet of a client.')
    .forClient()
    .option('--on', 'turn it on')
    .option('--off', 'turn it off')
    .option('--order-cap <amount>', 'only orders up to this amount; none removes the cap')
    .option('--day-cap <amount>', 'only up to this amount in a day of the client; none removes the cap')
    .by()
    .does(async ({ autoPay }, id, { on, off, orderCap, dayCap, by }) => {
      const enabled = on ? true : off ? false : undefined;
      const changes = [enabled, orderCap, dayCap].some((value) => value !== undefined);
      const view = changes
        ? await autoPay.set(id, { enabled, orderCap, dayCap }, by)
        : await autoPay.show(id);
      return tableAnswer(view, ['client_id', 'enabled', 'order_cap', 'day_cap']);
    });

  wallet
    .add('check', 'Checks that the books add up; exit status 1 if they do not.')
    .does(async ({ walletBooks, testMoney }) => {
      const contradictions = await walletBooks.check();
      const held = await testMoney.list();
      const lines = contradictions.map(({ what, rows }) => `${what}: ${JSON.stringify(rows)}\n`).join('');
      return {
        json: { contradictions, test_money: held },
        text: `${lines || 'The books add up.\n'}${held.length > 0 ? testMoneyHeld(held) : ''}`,
        incomplete: contradictions.length > 0 || (held.length > 0 && !testMoney.isAllowed),
      };
    });

  wallet
    .add('remove-test-money', 'Removes the money of test gateways from all wallets, before real payments.')
    .option('--yes', 'do not ask')
    .by()
    .does(async ({ testMoney }, { yes, by }) => {
      const held = await testMoney.list();
      if (held.length === 0) return { json: [], text: 'No wallet holds test money.\n' };
      const warning = testMoneyHeld(held);
      await wallet.requireConfirmation(
        yes,
        `${warning}Remove it?`,
        `${warning}Nothing was removed; --yes removes it.`,
      );
      const removed = await testMoney.remove(by);
      return { json: removed, text: `Removed:\n${table(removed)}` };
    });
}

function testMoneyHeld(held: TestMoneyRow[]): string {
  return [
    'Wallets hold test money:\n',
    table(held),
    'Paid orders stay paid. The spent money is written off at your cost.\n',
    'To undo such an order, cancel it first: its money returns to the wallet and is removed too.\n',
  ].join('');
}

function describeWallet({ client_id, balance, reserved }: WalletView): string {
  const spare = reserved > 0 ? ` (${reserved.toFixed(2)} of it reserved for open payments)` : '';
  return `Client ${client_id} has ${balance.toFixed(2)}${spare}`;
}
