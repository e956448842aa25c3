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
}

/** SQL, because it is streamed: one import may change a million prices. */
const LIST = `
  SELECT changed_at, actor, subject, name, before, after
    FROM changes
   WHERE ($1::text IS NULL OR subject = $1) AND ($2::timestamptz IS NULL OR changed_at >= $2)
     AND ($3::timestamptz IS NULL OR changed_at < $3)
   ORDER BY changes.id DESC`;

/** Who changed a product, price, plan or subscription, with old and new values. */
@Injectable()
export class ChangeLog {
  constructor(private readonly database: Database) {}

  list({ subject, since, to }: ChangeFilter, limit?: number): AsyncGenerator<ChangeShown, number> {
    return this.database.stream<ChangeShown>(LIST, [subject ?? null, since ?? null, to ?? null], limit);
  }
}
