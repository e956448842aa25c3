import type { PaymentView } from '../modules/payments/payment-desk.service.js';
import type { PaymentRow } from '../modules/payments/payments.repository.js';
import {
  describeConcern,
  PAYMENT_STATUSES,
  TRANSFER_STATUSES,
} from '../modules/payments/rules/payment-status.js';
import type { TimeZone } from '../platform/time/time.js';
import { type CommandAnswer, table, tableAnswer } from './answer.js';
import { type CliCommand, readId } from './command.js';
import { ACCEPT_REFERENCE } from './order-changes.commands.js';

const COLUMNS = [
  'payment_id',
  'client_id',
  'provider',
  'status',
  'amount',
  'created_at',
  'paid_at',
  'concern',
] as const;

export function addPaymentCommands(program: CliCommand): void {
  const payment = program.group('payment', 'payments through the gateway');
  const onPayment = (name: string, description: string) =>
    payment.add(name, description).argument('<payment>', 'the id of the payment');

  payment
    .add('list', 'Lists payments, the newest first.')
    .withLimit()
    .ofClient()
    .choice('--status <status>', 'only payments with this status', PAYMENT_STATUSES)
    .option('--needs-person', 'only payments that a person must check')
    .lists(
      'No payments.',
      ({ payments }, { limit, needsPerson: concerning, ...filter }) =>
        payments.list({ ...filter, concerning }, limit),
      inOneRow,
    );

  onPayment('show', 'Shows a payment with its orders and refunds.').does(async ({ payments }, id) =>
    answerWith(await payments.show(id)),
  );

  onPayment('settle', 'Asks the gateway about a payment now, and records the answer.').does(
    async ({ payments }, id) => answerWith(await payments.settle(id)),
  );

  onPayment(
    'give-up',
    'Lets the orders of an open payment be paid in another way. Late money goes to the wallet.',
  )
    .by()
    .does(async ({ payments }, id, { by }) => answerWith(await payments.giveUp(id, by)));

  onPayment('refund', 'Sends money of a wallet back through the payment that brought it.')
    .option('--amount <amount>', 'how much (all that is left of the payment)')
    .by()
    .does(async ({ payments }, id, { amount, by }) => answerWith(await payments.refund(id, amount, by)));

  onPayment('resolve', 'Records that a person has checked the problem of a payment.')
    .requiredOption('--note <text>', 'the result')
    .by()
    .does(async ({ payments }, id, { note, by }) => answerWith(await payments.resolve(id, note, by)));
}

function answerWith(payment: PaymentView): CommandAnswer {
  const { orders, receipts, refunds, ...facts } = payment;
  const parts = (zone: TimeZone) => [
    table([inWords(facts)], COLUMNS, zone),
    orders.length > 0 && table(orders, ['order_number', 'amount']),
    receipts.length > 1 && table(receipts, ['gateway_payment_id', 'amount', 'refundable']),
    refunds.length > 0 && table(refunds, ['refund_id', 'gateway_refund_id', 'amount', 'status']),
  ];
  return { json: payment, text: (zone) => parts(zone).filter(Boolean).join('\n') };
}

function inOneRow({
  provider,
  gateway_order_id,
  paid_at,
  received,
  refunded,
  refunding,
  ...row
}: PaymentRow) {
  return inWords(row);
}

function inWords<Row extends Pick<PaymentRow, 'concern'>>(row: Row) {
  return { ...row, concern: describeConcern(row.concern) };
}

const TRANSFER_COLUMNS = [
  'transfer_id',
  'client_id',
  'utr',
  'amount',
  'received',
  'tds',
  'status',
  'announced_at',
  'reason',
  'other_claims',
] as const;

export function addTransferCommands(program: CliCommand): void {
  const transfer = program.group('transfer', 'bank transfers that clients have reported');
  const onTransfer = (name: string, description: string) =>
    transfer.add(name, description).argument('<transfer>', 'the number of the transfer', readId).by();

  transfer
    .add('list', 'Lists bank transfers, the newest first.')
    .withLimit()
    .ofClient()
    .choice('--status <status>', 'only transfers with this status', TRANSFER_STATUSES)
    .lists(
      'No transfers.',
      ({ transfers }, { limit, ...filter }) => transfers.list(filter, limit),
      TRANSFER_COLUMNS,
    );

  transfer
    .add('announce', 'Records that a client has sent money by bank.')
    .forClient()
    .argument('<amount>', 'how much, such as 25000.00')
    .argument('<utr>', 'the number that the bank gave')
    .option('--payer <name>', 'the holder of the account that sent it')
    .option('--tds <amount>', 'the tax that the client deducted from it (none)')
    .by()
    .does(async ({ transfers }, id, amount, utr, { payer, tds, by }) =>
      tableAnswer(await transfers.announce(id, amount, utr, by, payer, tds), TRANSFER_COLUMNS),
    );

  onTransfer('confirm', 'Records that a transfer has arrived. The money goes to the wallet.')
    .option('--payer <name>', "the payer's name on your bank statement")
    .option('--tds <amount>', 'the tax that the client deducted from it (as it reported)')
    .option('--amount <amount>', 'the amount that came (as it reported)')
    .option('--reason <text>', 'why it is another amount, which the client can read')
    .option('--force', ACCEPT_REFERENCE)
    .does(async ({ transfers }, id, { by, reason: difference, force, ...arrival }) => {
      const accepted = { ...arrival, difference, acceptedUses: force && ('any' as const) };
      return tableAnswer(await transfers.confirm(id, by, accepted), TRANSFER_COLUMNS);
    });

  onTransfer('refuse', 'Records that a transfer has not arrived, or differs from the report.')
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .does(async ({ transfers }, id, { reason, by }) =>
      tableAnswer(await transfers.refuse(id, reason, by), TRANSFER_COLUMNS),
    );
}
