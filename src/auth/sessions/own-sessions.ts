import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ClientPerson } from '../people/signed-in-person.js';
import { Session } from './session.entity.js';
import { Sessions } from './sessions.js';

export interface SessionShown {
  id: number;
  address: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** The session of this request. */
  isThis: boolean;
}

/** Lists and ends a person's own sessions. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  async list(person: ClientPerson): Promise<SessionShown[]> {
    const open = await this.sessions.open(person.id);
    return open.map(({ id, address, userAgent, createdAt, lastSeenAt }) => ({
      id,
      address,
      userAgent,
      createdAt,
      lastSeenAt,
      isThis: id === person.sessionId,
    }));
  }

  /** Another person's session looks like an unknown one. */
  end(person: ClientPerson, id: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const own = { id, personId: person.id, endedAt: IsNull() };
      const ended = await transaction.manager.update(Session, own, { endedAt: () => 'now()' });
      if (!ended.affected) throw new DomainError('session_not_found', 'This session has already ended.');
      await this.audit.recordWithin(transaction, {
        person,
        action: 'session.ended',
        subject: `session ${id}`,
      });
    });
  }

  /** Ends all sessions except the one of this request, and returns their number. */
  endOthers(person: ClientPerson): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ended = await this.sessions.endAllWithin(transaction, person.id, person.sessionId);
      if (ended > 0)
        await this.audit.recordWithin(transaction, {
          person,
          action: 'session.others_ended',
          subject: `person ${person.id}`,
          details: { sessions_ended: ended },
        });
      return ended;
    });
  }
}
