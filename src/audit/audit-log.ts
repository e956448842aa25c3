import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Transaction } from '../platform/database/database.js';
import { requireOwner } from '../platform/database/require-owner.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { actorOf, type Author } from './actor-of.js';
import { type AuditDetails, AuditEntry } from './audit-entry.entity.js';

/** A signed-in person, as far as the log keeps it. */
interface ActingPerson {
  id: number;
  clientId: number | null;
  email: string;
  address: string;
}

/** An operator who uses a command, an employee at the desk, or a stranger who signs in. */
export interface OtherActor<ClientId = number | null> {
  actor: string;
  clientId: ClientId;
  /** The employee, or the person of the sign-in. */
  personId?: number;
  address?: string;
}

interface Deed {
  /** Subject and verb: `token.revoked`. */
  action: `${string}.${string}`;
  /** Such as `token 12`. */
  subject: string;
  details?: AuditDetails;
}

export type NewAuditEntry = Deed & ({ person: ActingPerson } | OtherActor);

/** The author of a change that concerns a client, or with null the wholesaler. */
export function authorOf<Id extends number | null>(by: Author, clientId: Id): OtherActor<Id> {
  const actor = actorOf(by);
  return typeof by === 'string'
    ? { actor, clientId }
    : { actor, clientId, personId: by.id, address: by.address };
}

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
  /** A part of the author's name or address. */
  actor?: string;
  /** An action, or the beginning of several: `token.`. */
  action?: string;
  /** A part of the subject. */
  subject?: string;
  since?: Date;
  to?: Date;
}

/** An entry with its number, by which pages follow each other. */
export type AuditNumbered = AuditShown & { id: string };

const MATCHING = `
    FROM audit_log
   WHERE ($1::int IS NULL OR client_id = $1) AND ($2::int IS NULL OR person_id = $2)
     AND ($3::text IS NULL OR strpos(lower(actor), lower($3)) > 0)
     AND ($4::text IS NULL OR starts_with(action, $4))
     AND ($5::text IS NULL OR strpos(lower(subject), lower($5)) > 0)
     AND ($6::timestamptz IS NULL OR happened_at >= $6) AND ($7::timestamptz IS NULL OR happened_at < $7)`;

/** SQL, because the log is long and read row by row. */
const LIST = `
  SELECT happened_at, client_id, actor, action, subject, details, address ${MATCHING}
   ORDER BY id DESC`;

const PAGE = `
  SELECT id::text, happened_at, client_id, actor, action, subject, details, address ${MATCHING}
     AND ($8::bigint IS NULL OR id < $8)
   ORDER BY audit_log.id DESC LIMIT $9`;

/** SQL, because TypeORM's DELETE has no LIMIT. */
const OLDEST = 'id IN (SELECT id FROM audit_log WHERE happened_at < :before ORDER BY id LIMIT :batch)';

const BATCH_SIZE = 10_000;

/** A trigger refuses to delete younger entries. */
const KEPT_DAYS = 365;

/** The log of what people do. Its entries never change: the database refuses it to everybody. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
  ) {}

  /** For an action that is not in a transaction. */
  async record(entry: NewAuditEntry): Promise<void> {
    await this.entries.insert(rowOf(entry));
  }

  /** In the transaction of the action: both are stored, or neither. */
  async recordWithin({ manager }: Transaction, ...entries: NewAuditEntry[]): Promise<void> {
    await manager.insert(AuditEntry, entries.map(rowOf));
  }

  /** Newest first. */
  list(filter: AuditFilter, limit?: number): AsyncGenerator<AuditShown, number> {
    return this.database.stream<AuditShown>(LIST, valuesOf(filter), limit);
  }

  /** The newest entries, or those before an entry. */
  newest(filter: AuditFilter, before: number | undefined, most: number): Promise<AuditNumbered[]> {
    return this.database.query<AuditNumbered>({ text: PAGE }, [...valuesOf(filter), before ?? null, most]);
  }

  /**
   * Deletes the entries before this time and returns their number. Only the database's owner has the right.
   */
  async forget(before: Date, actor: string): Promise<number> {
    if (before.getTime() > Date.now() - KEPT_DAYS * 86_400_000)
      throw new DomainError(
        'invalid_value',
        `Entries of the last ${KEPT_DAYS} days are kept. Name an earlier date.`,
      );
    await requireOwner(this.database, 'audit_log', 'delete entries');
    let forgotten = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE; forgotten += batch)
      batch = await this.forgetBatch(before, actor);
    return forgotten;
  }

  /** Each batch has its entry, so that no deletion is missing in the log if the command ends early. */
  private forgetBatch(before: Date, actor: string): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const deletion = transaction.manager.createQueryBuilder().delete().from(AuditEntry);
      const deleted = await deletion.where(OLDEST, { before, batch: BATCH_SIZE }).execute();
      const entries = deleted.affected ?? 0;
      const details = { before: before.toISOString(), entries };
      const deed = { action: 'audit.forgotten', subject: 'audit log', details } as const;
      if (entries > 0) await this.recordWithin(transaction, { ...deed, actor, clientId: null });
      return entries;
    });
  }
}

/** The values that changed, each with the one before. Empty if none did. */
export function differences<Shown extends object>(before: Shown, after: Shown): AuditDetails {
  const told = (value: unknown) => (value instanceof Date ? value.toISOString() : value) as string | null;
  const fields = Object.keys(after) as (keyof Shown & string)[];
  return Object.fromEntries(
    fields
      .filter((field) => told(before[field]) !== told(after[field]))
      .flatMap((field) => [
        [field, told(after[field])],
        [`${field}_before`, told(before[field])],
      ]),
  );
}

function valuesOf({ clientId, personId, actor, action, subject, since, to }: AuditFilter): unknown[] {
  return [clientId, personId, actor, action, subject, since, to].map((value) => value ?? null);
}

function rowOf({ action, subject, details = {}, ...by }: NewAuditEntry) {
  if (!('person' in by)) return { action, subject, details, ...by };
  const { id: personId, clientId, address } = by.person;
  return { action, subject, details, actor: actorOf(by.person), personId, clientId, address };
}
