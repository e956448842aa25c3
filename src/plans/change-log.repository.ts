import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import type { Change } from './change.entity.js';
import type { ChangedSubject } from './changed-subjects.js';

export type ChangeShown = Pick<Change, 'actor' | 'subject' | 'name' | 'before' | 'after'> & {
  changed_at: Date;
};

export interface ChangeFilter {
  subject?: ChangedSubject;
  since?: Date;
  to?: Date;
  /** Of this product: its own prices, and those that plans fix. */
  sku?: string;
}

/** SQL, because it is streamed: one import may change a million prices. */
const LIST = `
  SELECT changed_at, actor, subject, name, before, after
    FROM changes
   WHERE ($1::text IS NULL OR subject = $1) AND ($2::timestamptz IS NULL OR changed_at >= $2)
     AND ($3::timestamptz IS NULL OR changed_at < $3)
     AND ($4::text IS NULL OR subject IN ('product', 'price')
                              AND name = ANY (SELECT $4 UNION ALL SELECT code || ' ' || $4 FROM plans))
   ORDER BY changes.id DESC`;

/** Who changed a product, price, plan or subscription, with old and new values. */
@Injectable()
export class ChangeLog {
  constructor(private readonly database: Database) {}

  list({ subject, since, to, sku }: ChangeFilter, limit?: number): AsyncGenerator<ChangeShown, number> {
    const values = [subject, since, to, sku].map((value) => value ?? null);
    return this.database.stream<ChangeShown>(LIST, values, limit);
  }
}
