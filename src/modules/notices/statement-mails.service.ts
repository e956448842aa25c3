import { Inject, Injectable } from '@nestjs/common';
import type { Author } from '../audit/actor-of.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { Database, lockByName, type Queries } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Month, monthAt, periodOf } from '../../platform/time/time.js';
import { formatMonth } from '../../platform/formats.js';
import { Outbox } from '../../shared/mail/outbox.repository.js';
import { NoticesRepository } from './notices.repository.js';
import type { StatementMailing } from './statement-mailing.js';

/** Mails the clients' people that their statement of a month is ready. The notices job writes the mails. */
@Injectable()
export class StatementMailsService {
  constructor(
    private readonly database: Database,
    private readonly notices: NoticesRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Throws what `send` would throw. */
  async preview(month: Month, clientId?: number): Promise<StatementMailing> {
    return (await this.plan(this.database, month, clientId)).mailing;
  }

  /** To all clients or one. Once for each client and month. Returns what was done. */
  async send(month: Month, by: Author, clientId?: number): Promise<StatementMailing> {
    return this.database.transaction(async (transaction) => {
      await lockByName(transaction, 'statement mails');
      const { mailing, due } = await this.plan(transaction, month, clientId);
      const toMail = await this.notices.requestStatements(transaction, month, due);
      if (toMail > 0)
        await this.audit.recordWithin(transaction, {
          ...authorOf(by, clientId ?? null),
          action: 'statements.mailed',
          subject: `statements ${month}`,
          details: { clients: toMail },
        });
      return { ...mailing, toMail };
    });
  }

  private async plan(queries: Queries, month: Month, onlyClient?: number) {
    const { timeZone } = this.settings;
    if (month >= monthAt(Date.now(), timeZone))
      throw new DomainError('conflict', `${formatMonth(month)} is not over, so its statements still change.`);
    if (!this.outbox.canSend)
      throw new DomainError('conflict', 'No mail can be sent: the setting SMTP_URL is empty.');
    const end = periodOf(month, timeZone).to;
    const all = await this.notices.statementClients(queries, month, end, onlyClient);
    const open = all.filter(({ isMailed }) => !isMailed);
    const ids = open.map(({ clientId }) => clientId);
    const readers = await this.notices.readers(queries, 'statement', ids);
    const reached = new Set(readers.map(({ clientId }) => clientId));
    const due = ids.filter((id) => reached.has(id));
    const unreachable = open.filter(({ clientId }) => !reached.has(clientId)).map(({ name }) => name);
    const counts = { clients: all.length, alreadyMailed: all.length - open.length, toMail: due.length };
    return { due, mailing: { month, ...counts, unreachable } satisfies StatementMailing };
  }
}
