import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type AuditDetails, AuditEntry } from './audit-entry.entity.js';

export interface AuditRow {
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
  /** Actions of this person, and attempts in their name. */
  personId?: number;
  /** A part of the author's address, or of the name of a command's author. */
  actor?: string;
  /** The numbers of people whose names have the same text. */
  namedIds?: readonly number[];
  /** An action, or the beginning of several: `token.`, or "Token " as pages say it. */
  action?: string;
  /** A part of the subject. */
  subject?: string;
  since?: Date;
  to?: Date;
}

/** The period without a first day. A search reads all entries of its period, so it needs a limit. */
export const AUDIT_DAYS = 30;

/** An entry with its number, which is the page cursor. */
export type NumberedAuditRow = AuditRow & { id: string };

/**
 * A client may have few of the newest entries. OFFSET 0 hides its number from the planner, which then takes
 * the index of clients. Numbers and times have nearly the same order, so a number ends the scan of a period.
 */
const matching = ({ clientId }: AuditFilter) => `
    FROM audit_log JOIN (SELECT $1::int AS client OFFSET 0) AS asked
         ON ${clientId === undefined ? 'true' : 'client = client_id'}
   WHERE ($2::int IS NULL OR person_id = $2)
     AND ($3::text IS NULL OR strpos(lower(actor), lower($3)) > 0
          OR split_part(actor, ' (', 1) = ANY ($8::text[]))
     AND ($4::text IS NULL OR starts_with(translate(action, '._', '  '), translate(lower($4), '._', '  ')))
     AND ($5::text IS NULL OR strpos(lower(subject), lower($5)) > 0)
     AND ($6::timestamptz IS NULL OR happened_at >= $6) AND ($7::timestamptz IS NULL OR happened_at < $7)
     AND ($6::timestamptz IS NULL OR id >= (
           SELECT id FROM audit_log WHERE happened_at >= $6 - interval '1 hour'
            ORDER BY happened_at LIMIT 1))`;

const page = (filter: AuditFilter) => `
  SELECT id::text, happened_at, client_id, actor, action, subject, details, address ${matching(filter)}
     AND ($9::bigint IS NULL OR id < $9)
   ORDER BY audit_log.id DESC LIMIT $10`;

/** SQL, because TypeORM's DELETE has no LIMIT. */
const OLDEST = `
  id IN (SELECT id FROM audit_log AS entry WHERE happened_at < :before AND NOT audit_is_kept(entry)
          ORDER BY id LIMIT :batch)`;

/** Lists the log, newest entries first. */
@Injectable()
export class AuditListRepository {
  constructor(private readonly database: Database) {}

  /** The newest entries, or those before an entry. */
  newest(filter: AuditFilter, before: number | undefined, limit: number): Promise<NumberedAuditRow[]> {
    return this.database.query<NumberedAuditRow>({ text: page(filter) }, [
      ...valuesOf(filter),
      before ?? null,
      limit,
    ]);
  }

  /** Returns the number of deleted entries. */
  async deleteOldest({ manager }: Transaction, before: Date, batch: number): Promise<number> {
    const deletion = manager.createQueryBuilder().delete().from(AuditEntry);
    const { affected } = await deletion.where(OLDEST, { before, batch }).execute();
    return affected ?? 0;
  }
}

function valuesOf({
  clientId,
  personId,
  actor,
  action,
  subject,
  since,
  to,
  ...filter
}: AuditFilter): unknown[] {
  const named = (filter.namedIds ?? []).map((id) => `person ${id}`);
  return [clientId, personId, actor, action, subject, since, to, named].map((value) => value ?? null);
}
