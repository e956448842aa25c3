import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Raw, Repository } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-entry.entity.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { requireClient } from '../clients/client-finder.js';
import { Client } from '../clients/client.entity.js';
import type { ClientPerson, SignedInPerson } from '../people/signed-in-person.js';
import { Session } from './session.entity.js';

const HOURS = 1;

/** People of the wholesaler see a client's pages as its viewers do. The guard lets them read only. */
@Injectable()
export class SeeingAsClient {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(Client) private readonly clients: Repository<Client>,
  ) {}

  /** One client at a time, in this session. */
  begin(person: SignedInPerson, clientId: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await requireClient(manager, clientId);
      await this.endWithin(transaction, person);
      const until = new Date(Date.now() + HOURS * 3_600_000);
      await manager.update(Session, person.sessionId, { seenClientId: clientId, seesUntil: until });
      await this.record(transaction, person, clientId, 'begun', { until: until.toISOString() });
    });
  }

  /** Returns the client, or null if there was nothing to end. */
  end(person: SignedInPerson): Promise<number | null> {
    return this.database.transaction((transaction) => this.endWithin(transaction, person));
  }

  /** The person as a viewer of the client, if the session sees one now. */
  async viewer(person: SignedInPerson): Promise<ClientPerson | undefined> {
    const session = await this.sessions.findOneBy({
      id: person.sessionId,
      seesUntil: Raw((column) => `${column} > now()`),
    });
    if (!session?.seenClientId) return undefined;
    const { id: clientId, name, timeZone } = await this.clients.findOneByOrFail({ id: session.seenClientId });
    return {
      ...person,
      clientId,
      clientName: name,
      timeZone: timeZone ?? person.timeZone,
      role: 'viewer',
      seesUntil: session.seesUntil!,
    };
  }

  private async endWithin(transaction: Transaction, person: SignedInPerson): Promise<number | null> {
    const { seenClientId, seesUntil } = await lockSession(transaction.manager, person.sessionId);
    if (seenClientId === null) return null;
    const nothing = { seenClientId: null, seesUntil: null };
    await transaction.manager.update(Session, person.sessionId, nothing);
    // After that time it has ended by itself.
    if (seesUntil! > new Date()) await this.record(transaction, person, seenClientId, 'ended');
    return seenClientId;
  }

  private record(
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
}

function lockSession(manager: EntityManager, id: number): Promise<Session> {
  return manager.findOneOrFail(Session, { where: { id }, lock: { mode: 'for_no_key_update' } });
}
