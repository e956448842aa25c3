import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Raw, Repository } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-entry.entity.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import { Client } from '../../clients/client.entity.js';
import { requireClient } from '../../clients/client.repository.js';
import { endSessionsWithin } from '../../people/end-sessions.js';
import { type Person, Session } from '../../people/person.entity.js';
import { newSecret } from '../../people/secret.js';
import type { ClientPerson, SignedInPerson } from '../../../platform/access/signed-in-person.js';
import { readDatabaseClock } from '../../../platform/database/database-clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { Browser } from './browser-cookies.service.js';

/** Enough for all browsers of a person. A new session replaces the least recently used one. */
const MAX_OPEN_SESSIONS = 20;

const VIEWING_HOURS = 1;

/** Ended sessions are kept this long, to remember the addresses of earlier sign-ins. */
const REMEMBERED_DAYS = 90;

/** The values for the audit log. */
type SigningIn = Pick<Person, 'id' | 'clientId' | 'email'>;

const VIEW_COLUMNS = ['id', 'address', 'userAgent', 'createdAt', 'lastSeenAt'] as const;

/** `isThis`: the session of this request. */
export type SessionView = Pick<Session, (typeof VIEW_COLUMNS)[number]> & { isThis: boolean };

@Injectable()
export class SessionsService {
  private readonly idleMinutes: number;
  private readonly days: number;

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @Inject(SETTINGS) { sessionIdleMinutes, sessionDays }: Settings,
  ) {
    this.idleMinutes = sessionIdleMinutes;
    this.days = sessionDays;
  }

  /** The person's own valid sessions, most recently used first. */
  async list(person: SignedInPerson): Promise<SessionView[]> {
    const open = await this.sessions.find({
      select: Object.fromEntries(VIEW_COLUMNS.map((field) => [field, true])),
      where: this.isOpen(person.id),
      order: LATEST_FIRST,
    });
    return open.map((session) => ({ ...session, isThis: session.id === person.sessionId }));
  }

  /** Another person's session looks like an unknown one. */
  end(person: SignedInPerson, id: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const own = { id, personId: person.id, endedAt: IsNull() };
      const ended = await transaction.manager.update(Session, own, { endedAt: NOW });
      if (!ended.affected) throw new DomainError('session_not_found', 'This session has already ended.');
      await this.audit.recordWithin(transaction, {
        person,
        action: 'session.ended',
        subject: `session ${id}`,
      });
    });
  }

  /** Ends all sessions except the one of this request, and returns their number. */
  endOthers(person: SignedInPerson): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ended = await endSessionsWithin(transaction, person.id, person.sessionId);
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

  /** Starts a session with a new secret, and ends the browser's previous one: a planted cookie is useless. */
  async beginWithin(
    transaction: Transaction,
    person: SigningIn,
    browser: Browser,
    previousSession: Buffer | undefined,
    passed?: 'second step',
  ): Promise<string> {
    const { manager } = transaction;
    const ended = await this.endReplaced(manager, person.id, previousSession);
    const { token, hash } = newSecret();
    const endsAt = () => `now() + make_interval(days => ${this.days})`;
    const session = { personId: person.id, hash, endsAt, ...(passed && { secondStepAt: NOW }), ...browser };
    const { identifiers } = await manager.insert(Session, session);
    await this.audit.recordWithin(transaction, {
      person: { ...person, address: browser.address },
      action: 'session.begun',
      subject: `session ${identifiers[0]!.id}`,
      details: ended.length > 0 ? { instead_of: ended.map((id) => `session ${id}`).join(', ') } : {},
    });
    return token;
  }

  /**
   * Lets a person of the wholesaler view a client's pages as its viewers do. The guard allows only reading.
   * One client at a time, in this session.
   */
  startViewing(person: SignedInPerson, clientId: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await requireClient(manager, clientId);
      await this.stopViewingWithin(transaction, person);
      const now = await readDatabaseClock(transaction);
      const until = new Date(now.getTime() + VIEWING_HOURS * 3_600_000);
      await manager.update(Session, person.sessionId, { seenClientId: clientId, seesUntil: until });
      await this.recordViewing(transaction, person, clientId, 'begun', { until: until.toISOString() });
    });
  }

  /** Returns the client, or null if there was nothing to end. */
  stopViewing(person: SignedInPerson): Promise<number | null> {
    return this.database.transaction((transaction) => this.stopViewingWithin(transaction, person));
  }

  /** The person as a viewer of the client, if the session views one now. */
  async viewer(person: SignedInPerson): Promise<ClientPerson | undefined> {
    const session = await this.sessions.findOneBy({
      id: person.sessionId,
      seesUntil: Raw((column) => `${column} > now()`),
    });
    if (!session?.seenClientId) return undefined;
    const {
      id: clientId,
      name,
      timeZone,
    } = await this.sessions.manager.findOneByOrFail(Client, { id: session.seenClientId });
    return {
      ...person,
      clientId,
      clientName: name,
      timeZone: timeZone ?? person.timeZone,
      role: 'viewer',
      seesUntil: session.seesUntil!,
    };
  }

  private async endReplaced(
    manager: EntityManager,
    personId: number,
    previousSession: Buffer | undefined,
  ): Promise<number[]> {
    const longOver = Raw((column) => `${column} < now() - make_interval(days => ${REMEMBERED_DAYS})`);
    await manager.delete(Session, { personId, endsAt: longOver });
    const tooMany = await manager.find(Session, {
      where: this.isOpen(personId),
      order: LATEST_FIRST,
      skip: MAX_OPEN_SESSIONS - 1,
    });
    const replaced = previousSession
      ? await manager.findBy(Session, { hash: previousSession, endedAt: IsNull() })
      : [];
    const ids = [...new Set([...tooMany, ...replaced].map(({ id }) => id))];
    if (ids.length > 0) await manager.update(Session, { id: In(ids) }, { endedAt: NOW });
    return ids;
  }

  private async stopViewingWithin(transaction: Transaction, person: SignedInPerson): Promise<number | null> {
    const { seenClientId, seesUntil } = await transaction.manager.findOneOrFail(Session, {
      where: { id: person.sessionId },
      lock: { mode: 'for_no_key_update' },
    });
    if (seenClientId === null) return null;
    const nothing = { seenClientId: null, seesUntil: null };
    await transaction.manager.update(Session, person.sessionId, nothing);
    // After that time the viewing has ended already.
    if (seesUntil! > (await readDatabaseClock(transaction)))
      await this.recordViewing(transaction, person, seenClientId, 'ended');
    return seenClientId;
  }

  private recordViewing(
    transaction: Transaction,
    person: SignedInPerson,
    clientId: number,
    what: 'begun' | 'ended',
    details?: AuditDetails,
  ): Promise<void> {
    return this.audit.recordWithin(transaction, {
      ...authorOf(person, clientId),
      action: `client.seeing_${what}`,
      subject: `client ${clientId}`,
      details,
    });
  }

  private isOpen(personId: number) {
    return {
      personId,
      endedAt: IsNull(),
      endsAt: Raw((column) => `${column} > now()`),
      lastSeenAt: Raw((column) => `${column} > now() - make_interval(mins => :idle)`, {
        idle: this.idleMinutes,
      }),
    };
  }
}

const NOW = () => 'now()';
const LATEST_FIRST = { lastSeenAt: 'DESC', id: 'DESC' } as const;
