import { TRANSFER_STATUSES, type TransferStatus } from '../../payments/rules/payment-status.js';
import { listAnswer, tableAnswer } from './answer.js';
import { type By, type CliCommand, clientIdOf, limitOf, type ListOptions, readId } from './command.js';

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
    .does(async (services, { client, status, ...options }: TransferFilter & ListOptions) => {
      const filter = { clientId: await clientIdOf(services, client), status };
      return listAnswer(services.transfers.list(filter, limitOf(options)), 'No transfers.', COLUMNS);
    });

  transfer
    .add('announce', 'Records that a client has sent money by bank.')
    .forClient()
    .argument('<amount>', 'how much, such as 25000.00')
    .argument('<utr>', 'the number that the bank gave')
    .option('--payer <name>', 'the holder of the account that sent it')
    .by()
    .doesForClient(async ({ transfers }, id, amount: string, utr: string, { payer, by }: Payer & By) =>
      tableAnswer(await transfers.announce(id, amount, utr, by, payer), COLUMNS),
    );

  onTransfer('confirm', 'Records that a transfer has arrived. The money goes to the wallet.')
    .option('--payer <name>', "the payer's name on your bank statement")
    .does(async ({ transfers }, id: number, { payer, by }: Payer & By) =>
      tableAnswer(await transfers.confirm(id, by, payer), COLUMNS),
    );

  onTransfer('refuse', 'Records that a transfer has not arrived, or differs from the report.')
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .does(async ({ transfers }, id: number, { reason, by }: { reason: string } & By) =>
      tableAnswer(await transfers.refuse(id, reason, by), COLUMNS),
    );
}

interface Payer {
  payer?: string;
}

interface TransferFilter {
  client?: string;
  status?: TransferStatus;
}
