import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ImportOptions } from '../../shared/imports/import-kind.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { Database, requireOwner, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { actorOf, type Author } from './actor-of.js';
import { type AuditDetails, AuditEntry } from './audit-entry.entity.js';
import { AuditListRepository } from './audit-list.repository.js';

/** The facts of a signed-in person in the log. */
interface ActingPerson {
  id: number;
  clientId: number | null;
  email: string;
  address: string;
}

/** An operator who uses a command, an employee at the desk, or an anonymous caller at sign-in. */
export interface OtherActor<ClientId = number | null> {
  actor: string;
  clientId: ClientId;
  /** The employee, or the person of the sign-in. */
  personId?: number;
  address?: string;
}

interface AuditAction {
  /** Subject and verb: `token.revoked`. */
  action: `${string}.${string}`;
  /** Such as `token 12`. */
  subject: string;
  details?: AuditDetails;
}

export type NewAuditEntry = AuditAction & ({ person: ActingPerson } | OtherActor);

/** The author of a change that concerns a client, or with null the wholesaler. */
export function authorOf<Id extends number | null>(by: Author, clientId: Id): OtherActor<Id> {
  const actor = actorOf(by);
  return typeof by === 'string'
    ? { actor, clientId }
    : { actor, clientId, personId: by.id, address: by.address };
}

const BATCH_SIZE = 10_000;

/** A trigger keeps younger entries, and entries about facts of tax documents for eight years. */
const MIN_AGE_DAYS = 365;

/** The log of people's actions. The database refuses all changes of its entries. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly lists: AuditListRepository,
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
  ) {}

  /** For an action that is not in a transaction. */
  async record(entry: NewAuditEntry): Promise<void> {
    await this.entries.insert(rowOf(entry));
  }

  /** In the transaction of the action: both are stored, or neither. */
  async recordWithin(transaction: Transaction, ...entries: NewAuditEntry[]): Promise<void> {
    await transaction.manager.insert(AuditEntry, entries.map(rowOf));
  }

  /** Records an imported file, if it changed rows. A single record has its own entry. */
  async recordFile(
    file: string,
    report: ImportReport,
    { actor, isSingle }: ImportOptions,
  ): Promise<ImportReport> {
    const { dryRun, created, updated, failedCount: refused } = report;
    if (dryRun || isSingle || created + updated === 0) return report;
    const details = { created, updated, refused };
    try {
      await this.record({ actor, clientId: null, action: 'file.imported', subject: file, details });
      return report;
    } catch (error) {
      // The caller gets no report to close. An open one keeps its connection.
      await report.close();
      throw error;
    }
  }

  /**
   * Deletes the entries before this time and returns their number. Only the database's owner has the right.
   * Records of tax stay for eight years.
   */
  async forget(before: Date, actor: string): Promise<number> {
    if (before.getTime() > Date.now() - MIN_AGE_DAYS * 86_400_000)
      throw new DomainError(
        'invalid_value',
        `Entries of the last ${MIN_AGE_DAYS} days are kept. Name an earlier date.`,
      );
    await requireOwner(this.database, 'audit_log', 'delete entries');
    let entries = 0;
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE; entries += batch)
      batch = await this.forgetBatch(before, actor);
    return entries;
  }

  /** Records each batch, so that the log is complete if the command ends early. */
  private forgetBatch(before: Date, actor: string): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const entries = await this.lists.deleteOldest(transaction, before, BATCH_SIZE);
      const details = { before: before.toISOString(), entries };
      const entry = { action: 'audit.forgotten', subject: 'audit log', details } as const;
      if (entries > 0) await this.recordWithin(transaction, { ...entry, actor, clientId: null });
      return entries;
    });
  }
}

/** The changed values, each with the value before. Empty if nothing changed. */
export function differences<Values extends object>(before: Values, after: Values): AuditDetails {
  const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : value) as string | null;
  const fields = Object.keys(after) as (keyof Values & string)[];
  return Object.fromEntries(
    fields
      .filter((field) => asText(before[field]) !== asText(after[field]))
      .flatMap((field) => [
        [field, asText(after[field])],
        [`${field}_before`, asText(before[field])],
      ]),
  );
}

function rowOf({ action, subject, details = {}, ...by }: NewAuditEntry) {
  if (!('person' in by)) return { action, subject, details, ...by };
  const { id: personId, clientId, address } = by.person;
  return { action, subject, details, actor: actorOf(by.person), personId, clientId, address };
}
