import { MAIL_STATES } from '../shared/mail/mail-states.js';
import type { CliCommand } from './command.js';

export function addMailCommands(program: CliCommand): void {
  const group = program.group('mail', 'the mail of the service');

  group
    .add('list', 'Lists the mail of the last 30 days, the newest first.')
    .withLimit()
    .choice('--state <state>', 'only mail in this state', MAIL_STATES)
    .lists(
      'No mail.',
      ({ mail }, { state }) => mail.list(state),
      ({ mail_id, ...row }) => row,
    );

  group
    .add('try', 'Sends a short test mail now, and prints the answer of the server.')
    .argument('<address>', 'the recipient')
    .does(async ({ mail }, address) => {
      await mail.sendTestMail(address);
      return { json: { sent: true }, text: `The server accepted a mail to ${address}.\n` };
    });
}
