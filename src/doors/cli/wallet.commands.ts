import type { TestMoneyHeld } from '../../payments/test-money.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Cli } from './cli.js';
import { confirm } from './confirm.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { type NamedOrder, numberOf } from './named-order.js';
import { operator } from './operator.js';
import { CLIENT, readActor } from './option-values.js';
import { table } from './table.js';

interface AutoPayOptions {
  on?: boolean;
  off?: boolean;
  orderCap?: string;
  dayCap?: string;
  by: string;
}

export function addWalletCommands(cli: Cli): void {
  const wallet = cli.group('wallet', 'wallets: what clients have paid in, and what for');

  cli
    .command(wallet, 'show', 'Shows what a client has in its wallet.')
    .argument('<client>', CLIENT)
    .action((client: string) =>
      cli.runFor(client, async ({ wallets }, id) => {
        const shown = await wallets.show(id);
        return { json: shown, text: `Client ${id} has ${shown.balance.toFixed(2)}.\n` };
      }),
    );

  addListOptions(cli.command(wallet, 'history', 'Lists the entries of a wallet, the newest first.'))
    .argument('<client>', CLIENT)
    .action((client: string, options: ListOptions) =>
      cli.runFor(client, async ({ wallets }, id) => {
        const lines = await wallets.history(id, limitOf(options));
        const columns = [
          'entry',
          'created_at',
          'kind',
          'amount',
          'balance_after',
          'order_number',
          'actor',
          'note',
        ] as const;
        return listAnswer(lines, columns, 'No entries.');
      }),
    );

  cli
    .command(wallet, 'adjust', 'Corrects a wallet by hand.')
    .usage('[options] <client> <±amount>')
    .argument('<client>', CLIENT)
    .argument('<±amount>', 'what it gains, or with a minus loses, such as 250 or -12.50')
    .requiredOption('--reason <text>', 'why; it is kept with the entry')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, amount: string, { reason, by }: { reason: string; by: string }) =>
      cli.runFor(client, async ({ wallets }, id) => {
        const shown = await wallets.adjust(id, amount, reason, by);
        return { json: shown, text: `Client ${id} has ${shown.balance.toFixed(2)} now.\n` };
      }),
    );

  cli
    .command(wallet, 'pay', 'Pays orders from the wallets of their clients: all of them, or none.')
    .argument(
      '<order...>',
      "the numbers of the orders, in any spelling; with --client the store's own ids will do",
    )
    .option(
      '--client <client>',
      'whose orders they are: number, name, domain or e-mail address of the client',
    )
    .option('--by <name>', 'who does it', readActor, operator())
    .action((names: string[], options: NamedOrder & { by: string }) =>
      cli.run(async (services) => {
        const numbers = await Promise.all(names.map((name) => numberOf(services, name, options)));
        const paid = await services.orders.payFromWallet(numbers, options.by);
        const columns = ['order_number', 'client_id', 'client', 'status', 'payment_status', 'total'] as const;
        return { json: paid, text: table(paid, columns) };
      }),
    );

  cli
    .command(
      wallet,
      'auto-pay',
      'Shows or changes whether new orders of a client are paid from its wallet at once.',
    )
    .argument('<client>', CLIENT)
    .option('--on', 'from now on')
    .option('--off', 'no more')
    .option('--order-cap <amount>', 'only orders up to this; none lifts it')
    .option('--day-cap <amount>', 'only up to this a day (UTC); none lifts it')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { on, off, orderCap, dayCap, by }: AutoPayOptions) =>
      cli.runFor(client, async ({ autoPay }, id) => {
        const enabled = on ? true : off ? false : undefined;
        const asks = enabled !== undefined || orderCap !== undefined || dayCap !== undefined;
        const shown = asks
          ? await autoPay.set(id, { enabled, orderCap, dayCap }, by)
          : await autoPay.show(id);
        const text = table([shown], ['client_id', 'enabled', 'order_cap', 'day_cap']);
        return { json: shown, text };
      }),
    );

  cli.command(wallet, 'check', 'Says whether the books add up; exit status 1 if they do not.').action(() =>
    cli.run(async ({ walletBooks, testMoney }) => {
      const found = await walletBooks.check();
      const held = await testMoney.held();
      const lines = found.map(({ what, rows }) => `${what}: ${JSON.stringify(rows)}\n`).join('');
      return {
        json: { contradictions: found, test_money: held },
        text: `${lines || 'The books add up.\n'}${held.length > 0 ? testMoneyHeld(held) : ''}`,
        incomplete: found.length > 0 || (held.length > 0 && !testMoney.isAllowed),
      };
    }),
  );

  cli
    .command(
      wallet,
      'remove-test-money',
      'Takes the money of test gateways out of all wallets, before real ones.',
    )
    .option('--yes', 'do it without asking')
    .option('--by <name>', 'who does it', readActor, operator())
    .action(({ yes, by }: { yes?: boolean; by: string }) =>
      cli.run(async ({ testMoney }) => {
        const held = await testMoney.held();
        if (held.length === 0) return { json: [], text: 'No wallet holds test money.\n' };
        if (!yes && !(await confirm(cli.surroundings, `${testMoneyHeld(held)}Remove it?`)))
          throw new DomainError('conflict', `${testMoneyHeld(held)}Nothing was removed; --yes removes it.`);
        const removed = await testMoney.remove(by);
        return { json: removed, text: `Removed:\n${table(removed, TEST_MONEY_COLUMNS)}` };
      }),
    );
}

const TEST_MONEY_COLUMNS = [
  'client_id',
  'client',
  'test_money',
  'balance',
  'spent',
  'orders_to_ship',
] as const;

function testMoneyHeld(held: TestMoneyHeld[]): string {
  return [
    'Wallets hold test money:\n',
    table(held, TEST_MONEY_COLUMNS),
    'Orders that were paid stay paid: what was spent is written off, at your cost.\n',
    'To undo such an order, cancel it first: its money returns to the wallet and is removed too.\n',
  ].join('');
}
