import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Transaction } from '../platform/database/database.js';
import { actorOf } from './actor-of.js';
import { type AuditDetails, AuditEntry } from './audit-entry.entity.js';

/** As much of a signed-in person as the log keeps. */
interface ActingPerson {
  id: number;
  clientId: number | null;
  email: string;
  address: string;
}

/** Whoever acts without being signed in: an operator by command, a stranger at the sign-in. */
interface OtherActor {
  actor: string;
  clientId: number | null;
  /** Whose signing in it is about. */
  personId?: number;
  address?: string;
}

interface Deed {
  /** Of what, and what: `token.revoked`. */
  action: `${string}.${string}`;
  /** Such as `token 12`. */
  subject: string;
  details?: AuditDetails;
}

export type NewAuditEntry = Deed & ({ person: ActingPerson } | OtherActor);

export interface AuditShown {
  happened_at: Date;
  client_id: number | null;
  actor: string;
  action: string;
  subject: string;
  details: AuditDetails;
  address: string | null;
}

export interface AuditFilter {
  clientId?: number;
  /** What they did, and what was tried in their name. */
  personId?: number;
  since?: Date;
  to?: Date;
}

/** SQL, because it is streamed: nothing is ever taken out of the log. */
const LIST = `
  SELECT happened_at, client_id, actor, action, subject, details, address
    FROM audit_log
   WHERE ($1::int IS NULL OR client_id = $1) AND ($2::int IS NULL OR person_id = $2)
     AND ($3::timestamptz IS NULL OR happened_at >= $3) AND ($4::timestamptz IS NULL OR happened_at < $4)
   ORDER BY id DESC`;

/** Where everything is told that people do. Nothing in it can be changed: the database refuses it, whoever asks. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
  ) {}

  /** Of what changes nothing in the database, or has changed it already. */
  async record(entry: NewAuditEntry): Promise<void> {
    await this.entries.insert(rowOf(entry));
  }

  /** With what it tells of, or not at all. */
  async recordWithin({ manager }: Transaction, entry: NewAuditEntry): Promise<void> {
    await manager.insert(AuditEntry, rowOf(entry));
  }

  /** The newest first. */
  list({ clientId, personId, since, to }: AuditFilter, limit?: number): AsyncGenerator<AuditShown, number> {
    const values = [clientId, personId, since, to].map((value) => value ?? null);
    return this.database.stream<AuditShown>(LIST, values, limit);
  }
}

function rowOf({ action, subject, details = {}, ...by }: NewAuditEntry) {
  if (!('person' in by)) return { action, subject, details, ...by };
  const { id: personId, clientId, address } = by.person;
  return { action, subject, details, actor: actorOf(by.person), personId, clientId, address };
}
