import { Option } from 'commander';
import { MAIL_STATES, type MailState } from '../../mail/mail-state.js';
import type { Cli } from './cli.js';
import { addListOptions, firstOf, limitOf, listAnswer, type ListOptions } from './list-command.js';

const COLUMNS = [
  'created_at',
  'recipient',
  'subject',
  'state',
  'tries',
  'next_try_at',
  'sent_at',
  'fault',
] as const;

export function addMailCommands(cli: Cli): void {
  const mail = cli.group('mail', 'mail that the service sends');

  addListOptions(cli.command(mail, 'list', 'Lists the mail of the last 30 days, the newest first.'))
    .addOption(new Option('--state <state>', 'only what is in this state').choices(MAIL_STATES))
    .action(({ state, ...options }: { state?: MailState } & ListOptions) =>
      cli.run(async ({ mail: desk }) =>
        listAnswer(firstOf(await desk.list(state), limitOf(options)), COLUMNS, 'No mail.'),
      ),
    );

  cli
    .command(mail, 'try', 'Has a short mail sent at once, and says what the server makes of it.')
    .argument('<address>', 'to whom')
    .action((address: string) =>
      cli.run(async ({ mail: desk }) => {
        await desk.sendTrial(address);
        return { json: { sent: true }, text: `The server has taken a mail to ${address}.\n` };
      }),
    );
}
