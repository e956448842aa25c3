import { Inject, Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { HOME_PATHS } from '../people/person-mail.service.js';
import { newSecret } from '../people/secret.js';
import { Outbox } from '../../shared/mail/outbox.repository.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Firm } from '../../platform/settings/firm.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { HOUR_MS, addDays, dayAt, startOfDay, type TimeZone } from '../../platform/time/time.js';
import { NoticeLink, NoticeMark } from './notices.entity.js';
import { type NoticeFact, NoticesRepository, type NoticeReader } from './notices.repository.js';
import { NOTICE_KINDS, NOTICE_NAMES, type NoticeKind } from './rules/kinds.js';
import { NOTICE_TEXTS, type NoticeText } from './rules/notice-texts.js';

const INTERVAL_MS = 60_000;

/** Older transactions have ended, so their rows are visible. */
const DELAY_MS = 60_000;

/** Notices of a day, with their hour in the wholesaler's time zone. */
const DAILY: Partial<Record<NoticeKind, number>> = { order_shipped: 18, low_stock: 8 };

const HOURLY: readonly NoticeKind[] = [
  'payment_due',
  'order_cancelled',
  'low_wallet',
  'price_change',
  'subscription_ends',
];

const USEFUL_MS = 48 * HOUR_MS;
const LINK_DAYS = 90;

/**
 * Mails people the notices that they have chosen. The mails of a kind and its mark are written in one
 * transaction, so a crash neither loses nor repeats one.
 */
@Injectable()
export class NoticesJob extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly notices: NoticesRepository,
    private readonly outbox: Outbox,
    private readonly own: OwnAddress,
    private readonly firm: Firm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super('notices', INTERVAL_MS);
  }

  /** A failing kind does not delay the others. The next run retries it. */
  async run(): Promise<void> {
    if (!this.outbox.canSend) return;
    const failures: unknown[] = [];
    for (const kind of NOTICE_KINDS) {
      try {
        await this.database.transaction((transaction) => this.sendNotices(transaction, kind));
      } catch (error) {
        // The database is unavailable, so the next kind would fail too.
        if (error instanceof DomainError) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private async sendNotices<Kind extends NoticeKind>(transaction: Transaction, kind: Kind): Promise<void> {
    const { manager } = transaction;
    const mark = await this.notices.mark(transaction, kind);
    const until = mark && reportableUntil(kind, mark.now, this.settings.timeZone);
    if (!until || until <= mark.from) return;
    const facts = await this.notices.factsBetween(transaction, kind, [mark.from, until]);
    const clientIds = facts.map(({ clientId }) => clientId);
    const readers = facts.length > 0 ? await this.notices.readers(transaction, kind, clientIds) : [];
    const factsByKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    for (const reader of readers) {
      const fact = factsByKey.get(keyOf(reader)) ?? factsByKey.get(keyOf({ clientId: reader.clientId }));
      if (fact) await this.write(transaction, kind, fact, reader);
    }
    await manager.update(NoticeMark, { kind }, { toldUntil: until });
    const old = new Date(mark.now.getTime() - LINK_DAYS * 24 * HOUR_MS);
    await manager.delete(NoticeLink, { kind, createdAt: LessThan(old) });
  }

  private async write<Kind extends NoticeKind>(
    { manager }: Transaction,
    kind: Kind,
    fact: NoticeFact<Kind>,
    reader: NoticeReader,
  ): Promise<void> {
    const { token, hash } = newSecret();
    const { personId, timeZone } = reader;
    await manager.insert(NoticeLink, { hash, personId, kind });
    const text = NOTICE_TEXTS[kind](fact, { currency: this.settings.currency, timeZone });
    await this.outbox.write(manager, {
      recipient: reader.email,
      subject: text.subject,
      body: this.bodyOf(kind, text, reader, token),
      usefulUntil: 'firstDueAt' in fact ? fact.firstDueAt : new Date(Date.now() + USEFUL_MS),
    });
  }

  private bodyOf(
    kind: NoticeKind,
    { lines, page }: NoticeText,
    { name, clientId, clientName }: NoticeReader,
    secret: string,
  ): string {
    const { publicUrl } = this.own;
    const firm = this.firm.name || this.settings.mail?.from.name;
    const choices = `${publicUrl}${HOME_PATHS[clientId === 0 ? 'wholesaler' : 'client']}/notices`;
    return `${firm ? `${firm}\n\n` : ''}Hello ${name},

${lines.join('\n')}

${publicUrl}${page}

You get this mail as a person of ${clientName}, because you get "${NOTICE_NAMES[kind].name}".
Choose your notices: ${choices}
Switch this one off: ${choices}/off#${secret}
`;
  }
}

/** The key of a fact for all people of a client, or for one of them. */
function keyOf({ clientId, personId }: { clientId: number; personId?: number }): string {
  return `${clientId} ${personId ?? 'all'}`;
}

/** Each day or each hour, the others after a minute. */
function reportableUntil(kind: NoticeKind, now: Date, timeZone: TimeZone): Date {
  const settled = new Date(now.getTime() - DELAY_MS);
  if (HOURLY.includes(kind)) return new Date(Math.floor(settled.getTime() / HOUR_MS) * HOUR_MS);
  const hour = DAILY[kind];
  if (hour === undefined) return settled;
  const times = [0, -1].map(
    (days) => startOfDay(addDays(dayAt(settled, timeZone), days), timeZone).getTime() + hour * HOUR_MS,
  );
  return new Date(times.find((time) => time <= settled.getTime())!);
}
