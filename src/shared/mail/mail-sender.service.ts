import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { Outbox, type ClaimedMail } from './outbox.repository.js';
import { SmtpClient, UndeliveredMail } from './smtp-client.service.js';

const INTERVAL_MS = 2_000;

/** How long a stopping node waits for the mail server, which may have accepted the mail. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/**
 * Sends the mail of the outbox. If a node is killed after the server accepted a mail, but before this was
 * stored, the mail is sent twice, with the same Message-ID. Most mailboxes then show only one.
 */
@Injectable()
export class MailSender extends BackgroundJob {
  /** Counts for the metrics. */
  readonly outcomes = { sent: 0, put_off: 0, given_up: 0 };
  override readonly counted = {
    name: 'mail_deliveries_total',
    help: 'Attempts of this node to send a mail.',
    counts: this.outcomes,
  };
  private readonly stopping = new AbortController();
  private isServerDown = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly smtp: SmtpClient,
  ) {
    super('mail', INTERVAL_MS);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const timeout = setTimeout(() => this.stopping.abort(), SHUTDOWN_TIMEOUT_MS);
    await super.beforeApplicationShutdown();
    clearTimeout(timeout);
  }

  /** Sends one mail at a time, until no mail is due or the server accepts none. */
  async run(): Promise<void> {
    while (this.outbox.canSend && !this.isStopping && (await this.sendNext()));
    this.logGivenUp(await this.outbox.giveUpExpired(), 'they expired');
    await this.outbox.deleteOld();
  }

  private async sendNext(): Promise<boolean> {
    const mail = await this.outbox.take();
    if (!mail) return false;
    try {
      await this.smtp.deliver(mail, this.stopping.signal);
    } catch (error) {
      return this.noteFailure(mail, error as UndeliveredMail);
    }
    this.outcomes.sent++;
    this.logServerState(false);
    await this.outbox.noteSent(mail.mailId);
    return true;
  }

  /** Returns true if the server refused only this mail. */
  private async noteFailure({ mailId, tries }: ClaimedMail, failure: UndeliveredMail): Promise<boolean> {
    const { message, isRefused, isPermanent } = failure;
    this.logServerState(!isRefused, message);
    if (isPermanent) {
      await this.outbox.giveUp(mailId, message);
      this.logGivenUp(1, `the server refuses it: ${message}`);
    } else {
      this.outcomes.put_off++;
      await this.outbox.putOff(mailId, message, secondsToNextTry(tries));
    }
    return isRefused;
  }

  /** Logs each change once. */
  private logServerState(isDown: boolean, why = ''): void {
    if (isDown === this.isServerDown) return;
    this.isServerDown = isDown;
    if (isDown) this.logger.warn(`The mail server accepts no mail, the service will retry: ${why}`);
    else this.logger.log('The mail server accepts mail again.');
  }

  private logGivenUp(count: number, why: string): void {
    if (count === 0) return;
    this.outcomes.given_up += count;
    this.logger.warn(`${count} mails were not sent, see "mail list --state given-up": ${why}`);
  }
}

const MIN_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 3 * 3_600;

/** The wait after each try: 30 seconds, then doubled each time, at most three hours. */
export function secondsToNextTry(tries: number): number {
  return Math.min(MIN_DELAY_SECONDS * 2 ** (tries - 1), MAX_DELAY_SECONDS);
}
