import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ChangedSubject } from './changed-subjects.js';
import type { Change } from './plan.entity.js';

export type LoggedChange = Pick<Change, 'actor' | 'subject' | 'name' | 'before' | 'after'> & {
  changed_at: Date;
};

export type NumberedChange = LoggedChange & Pick<Change, 'id'>;

interface ChangeFilter {
  subject?: ChangedSubject;
  since?: Date;
  to?: Date;
  /** Only changes of this product: its own prices, and its fixed prices in plans. */
  sku?: string;
}

/** Numbers and times have nearly the same order, so a number ends the scan of a period. */
const MATCHING = `
    FROM changes
   WHERE ($1::text IS NULL OR subject = $1) AND ($2::timestamptz IS NULL OR changed_at >= $2)
     AND ($3::timestamptz IS NULL OR changed_at < $3)
     AND ($2::timestamptz IS NULL OR id >= (
           SELECT id FROM changes WHERE changed_at >= $2 - interval '1 hour' ORDER BY changed_at LIMIT 1))
     AND ($4::text IS NULL OR subject IN ('product', 'price')
                              AND name = ANY (ARRAY(SELECT $4 UNION ALL
                                                                SELECT code || ' ' || $4 FROM plans)))`;

const NEWEST = `
  SELECT id, changed_at, actor, subject, name, before, after ${MATCHING}
     AND ($5::bigint IS NULL OR id < $5)
   ORDER BY changes.id DESC LIMIT $6`;

/** Who changed a product, price, plan or subscription, with old and new values. */
@Injectable()
export class ChangeLog {
  constructor(private readonly database: Database) {}

  newest(filter: ChangeFilter, limit: number, before?: number): Promise<NumberedChange[]> {
    return this.database.query<NumberedChange>({ text: NEWEST }, [
      ...valuesOf(filter),
      before ?? null,
      limit,
    ]);
  }
}

function valuesOf({ subject, since, to, sku }: ChangeFilter) {
  return [subject, since, to, sku].map((value) => value ?? null);
}
