import { type Command, Option } from 'commander';
import type { PaymentListed, PaymentShown } from '../../payments/payment-desk.service.js';
import {
  describeConcern,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../payments/rules/payment-status.js';
import type { Cli } from './cli.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { operator } from './operator.js';
import { readActor, readId } from './option-values.js';
import { table } from './table.js';

interface PaymentOptions extends ListOptions {
  client?: number;
  status?: PaymentStatus;
  needsPerson?: boolean;
}

export function addPaymentCommands(cli: Cli): void {
  const payment = cli.group('payment', 'payments through the gateway');

  addListOptions(cli.command(payment, 'list', 'Lists payments, the newest first.'))
    .option('--client <id>', 'only those of this client', readId)
    .addOption(new Option('--status <status>', 'only those in this state').choices(PAYMENT_STATUSES))
    .option('--needs-person', 'only those that somebody must look at')
    .action(({ client, status, needsPerson, ...options }: PaymentOptions) =>
      cli.run(({ payments }) => {
        const rows = payments.list({ clientId: client, status, concerning: needsPerson }, limitOf(options));
        const columns = [
          'payment_id',
          'client_id',
          'client',
          'status',
          'amount',
          'created_at',
          'concern',
        ] as const;
        return Promise.resolve(listAnswer(rows, columns, 'No payments.', inWords));
      }),
    );

  onPayment(cli, payment, 'show', 'Shows a payment with its orders and refunds.').action((id: string) =>
    cli.run(async ({ payments }) => answerWith(await payments.show(id))),
  );

  onPayment(
    cli,
    payment,
    'settle',
    'Asks the gateway about a payment now, and writes down what it says.',
  ).action((id: string) => cli.run(async ({ payments }) => answerWith(await payments.settle(id))));

  onPayment(
    cli,
    payment,
    'give-up',
    'Lets the orders of an open payment be paid in another way. Should the money come, it goes to the wallet.',
  ).action((id: string) => cli.run(async ({ payments }) => answerWith(await payments.giveUp(id))));

  onPayment(cli, payment, 'refund', 'Sends money of a wallet back to where a payment came from.')
    .option('--amount <amount>', 'how much (all that is left of the payment)')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((id: string, { amount, by }: { amount?: string; by: string }) =>
      cli.run(async ({ payments }) => answerWith(await payments.refund(id, amount, by))),
    );

  onPayment(cli, payment, 'resolve', 'Notes that somebody has looked at what was wrong with a payment.')
    .requiredOption('--note <text>', 'what came of it')
    .action((id: string, { note }: { note: string }) =>
      cli.run(async ({ payments }) => answerWith(await payments.resolve(id, note))),
    );
}

function onPayment(cli: Cli, group: Command, name: string, description: string): Command {
  return cli.command(group, name, description).argument('<payment>', 'the id of the payment');
}

function answerWith(payment: PaymentShown) {
  const { orders, refunds, ...facts } = payment;
  const parts = [
    table(
      [{ ...facts, concern: describeConcern(facts.concern) }],
      ['payment_id', 'client_id', 'provider', 'status', 'amount', 'created_at', 'paid_at', 'concern'],
    ),
    orders.length > 0 && table(orders, ['order_number', 'amount']),
    refunds.length > 0 && table(refunds, ['refund_id', 'gateway_refund_id', 'amount', 'status']),
  ];
  return { json: payment, text: parts.filter(Boolean).join('\n') };
}

function inWords(row: PaymentListed) {
  return { ...row, concern: describeConcern(row.concern) };
}
