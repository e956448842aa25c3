import { TRANSFER_STATUSES } from '../../payments/rules/payment-status.js';
import { tableAnswer } from './answer.js';
import { type CliCommand, readId } from './command.js';

const COLUMNS = [
  'transfer_id',
  'client_id',
  'utr',
  'amount',
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
    .listed()
    .ofClient()
    .choice('--status <status>', 'only transfers with this status', TRANSFER_STATUSES)
    .lists('No transfers.', ({ transfers }, { limit, ...filter }) => transfers.list(filter, limit), COLUMNS);

  transfer
    .add('announce', 'Records that a client has sent money by bank.')
    .forClient()
    .argument('<amount>', 'how much, such as 25000.00')
    .argument('<utr>', 'the number that the bank gave')
    .option('--payer <name>', 'the holder of the account that sent it')
    .by()
    .does(async ({ transfers }, id, amount, utr, { payer, by }) =>
      tableAnswer(await transfers.announce(id, amount, utr, by, payer), COLUMNS),
    );

  onTransfer('confirm', 'Records that a transfer has arrived. The money goes to the wallet.')
    .option('--payer <name>', "the payer's name on your bank statement")
    .does(async ({ transfers }, id, { payer, by }) =>
      tableAnswer(await transfers.confirm(id, by, payer), COLUMNS),
    );

  onTransfer('refuse', 'Records that a transfer has not arrived, or differs from the report.')
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .does(async ({ transfers }, id, { reason, by }) =>
      tableAnswer(await transfers.refuse(id, reason, by), COLUMNS),
    );
}
