import { Option } from 'commander';
import { TRANSFER_STATUSES, type TransferStatus } from '../../payments/entities/bank-transfer.entity.js';
import type { TransferShown } from '../../payments/bank-transfers.service.js';
import type { Cli } from './cli.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { operator } from './operator.js';
import { readActor, readId } from './option-values.js';
import { table } from './table.js';

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

export function addTransferCommands(cli: Cli): void {
  const transfer = cli.group('transfer', 'bank transfers that clients have announced');

  addListOptions(cli.command(transfer, 'list', 'Lists bank transfers, the newest first.'))
    .option('--client <id>', 'only those of this client', readId)
    .addOption(new Option('--status <status>', 'only those in this state').choices(TRANSFER_STATUSES))
    .action(({ client, status, ...options }: { client?: number; status?: TransferStatus } & ListOptions) =>
      cli.run(({ transfers }) => {
        const rows = transfers.list({ clientId: client, status }, limitOf(options));
        return Promise.resolve(listAnswer(rows, COLUMNS, 'No transfers.'));
      }),
    );

  cli
    .command(transfer, 'announce', 'Notes that a client has sent money by bank.')
    .argument('<client>', 'the client', readId)
    .argument('<amount>', 'how much, such as 25000.00')
    .argument('<utr>', 'the number that the bank gave')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: number, amount: string, utr: string, { by }: { by: string }) =>
      cli.run(async ({ transfers }) => answerWith(await transfers.announce(client, amount, utr, by))),
    );

  cli
    .command(transfer, 'confirm', 'Notes that the money of a transfer has arrived: it goes to the wallet.')
    .argument('<transfer>', 'the number of the transfer', readId)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((id: number, { by }: { by: string }) =>
      cli.run(async ({ transfers }) => answerWith(await transfers.confirm(id, by))),
    );

  cli
    .command(transfer, 'refuse', 'Notes that a transfer has not arrived, or not as it was announced.')
    .argument('<transfer>', 'the number of the transfer', readId)
    .requiredOption('--reason <text>', 'why, as the client will read it')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((id: number, { reason, by }: { reason: string; by: string }) =>
      cli.run(async ({ transfers }) => answerWith(await transfers.refuse(id, reason, by))),
    );
}

function answerWith(transfer: TransferShown) {
  return { json: transfer, text: table([transfer], COLUMNS) };
}
