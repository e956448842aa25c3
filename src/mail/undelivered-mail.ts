import type { NodemailerError } from 'nodemailer';

const MOST_TOLD = 200;

/** Where a server judges the mail, by its recipient and its text. Before that it is the connection, the login or the sender, for every mail alike. */
const OF_THE_MAIL = new Set(['RCPT TO', 'DATA']);

/**
 * Why a mail was not taken. What the server said is left out: servers quote what they refuse, and the mail holds a link's secret. So are
 * the causes: nothing of them reaches a log.
 */
export class UndeliveredMail extends Error {
  /** The server answers, and it is this mail that it does not take. */
  readonly isRefused: boolean;
  /** It never will. */
  readonly isForGood: boolean;

  constructor(error: NodemailerError) {
    super(describe(error));
    this.isRefused = error.responseCode !== undefined && OF_THE_MAIL.has(error.command ?? '');
    this.isForGood = this.isRefused && error.permanent === true;
  }
}

/** Before a mail was shown, nothing of it can be in the message, which then says most: what the name or the certificate lacks. */
function describe({ code, command, responseCode, originalCode, message, response }: NodemailerError): string {
  const facts = [originalCode ?? code, responseCode, command && `at ${command}`].filter(Boolean).join(' ');
  const said = command === 'CONN' && response === undefined ? `: ${message}` : '';
  return `${facts}${said}`.replaceAll(/\s+/g, ' ').slice(0, MOST_TOLD);
}
