import { MAIL_STATES, type MailState } from '../../mail/mail-states.js';
import { firstOf, listAnswer } from './answer.js';
import { type CliCommand, limitOf, type ListOptions } from './command.js';

export function addMailCommands(program: CliCommand): void {
  const group = program.group('mail', 'the mail of the service');

  group
    .add('list', 'Lists the mail of the last 30 days, the newest first.')
    .listed()
    .choice('--state <state>', 'only mail in this state', MAIL_STATES)
    .does(async ({ mail }, { state, ...options }: { state?: MailState } & ListOptions) =>
      listAnswer(firstOf(await mail.list(state), limitOf(options)), 'No mail.', ({ mail_id, ...row }) => row),
    );

  group
    .add('try', 'Sends a short test mail now, and prints the answer of the server.')
    .argument('<address>', 'the recipient')
    .does(async ({ mail }, address: string) => {
      await mail.sendTrial(address);
      return { json: { sent: true }, text: `The server accepted a mail to ${address}.\n` };
    });
}
