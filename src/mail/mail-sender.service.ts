import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../platform/background/background-job.js';
import { Outbox } from './outbox.service.js';
import { OutboxRepository, type TakenMail } from './outbox.repository.js';
import { SmtpClient, UndeliveredMail } from './smtp-client.service.js';

const INTERVAL_MS = 2_000;

/** A server that is asked to take a mail is given this long when the node has to go: it may have taken it already. */
const LAST_PATIENCE_MS = 3_000;

/**
 * Sends what lies in the outbox, and gives up aloud what cannot be sent. Each node does so by itself, and none what another does. A node
 * that is killed after the server took a mail and before it was noted leaves it to be sent again: a mail comes at least once, never not at
 * all. The second one has the same Message-ID, by which most mailboxes show one of them.
 */
@Injectable()
export class MailSender extends BackgroundJob {
  /** For the metrics. */
  readonly outcomes = { sent: 0, put_off: 0, given_up: 0 };
  private readonly stopping = new AbortController();
  private serverIsAway = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly repository: OutboxRepository,
    private readonly smtp: SmtpClient,
  ) {
    super(INTERVAL_MS);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const patience = setTimeout(() => this.stopping.abort(), LAST_PATIENCE_MS);
    await super.beforeApplicationShutdown();
    clearTimeout(patience);
  }

  /** One mail after the other, until none is due or the server takes none. */
  async run(): Promise<void> {
    while (this.outbox.takesMail && !this.isStopping && (await this.sendNext()));
    this.tellGivenUp(await this.repository.giveUpLate(), 'they expired');
    await this.repository.forget();
  }

  private async sendNext(): Promise<boolean> {
    const mail = await this.repository.take();
    if (!mail) return false;
    try {
      await this.smtp.deliver(mail, this.stopping.signal);
    } catch (error) {
      return this.noteFailure(mail, error as UndeliveredMail);
    }
    this.outcomes.sent++;
    this.tellServer(false);
    await this.repository.noteSent(mail.mailId);
    return true;
  }

  /** Whether it was about this mail alone. */
  private async noteFailure({ mailId, tries }: TakenMail, failure: UndeliveredMail): Promise<boolean> {
    const { message, isRefused, isForGood } = failure;
    this.tellServer(!isRefused, message);
    if (isForGood) {
      await this.repository.giveUp(mailId, message);
      this.tellGivenUp(1, `the server refuses it: ${message}`);
    } else {
      this.outcomes.put_off++;
      await this.repository.putOff(mailId, message, secondsToNextTry(tries));
    }
    return isRefused;
  }

  /** Once, and so is that it takes mail again. */
  private tellServer(isAway: boolean, why = ''): void {
    if (isAway === this.serverIsAway) return;
    this.serverIsAway = isAway;
    if (isAway) this.logger.warn(`The mail server accepts no mail, the service will retry: ${why}`);
    else this.logger.log('The mail server accepts mail again.');
  }

  private tellGivenUp(count: number, why: string): void {
    if (count === 0) return;
    this.outcomes.given_up += count;
    this.logger.warn(`${count} mails were not sent, see "mail list --state given-up": ${why}`);
  }
}

const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 3 * 3_600;

/** The wait after each try: 30 seconds, then twice as long each time, at most three hours. */
export function secondsToNextTry(tries: number): number {
  return Math.min(FIRST_SECONDS * 2 ** (tries - 1), LONGEST_SECONDS);
}
