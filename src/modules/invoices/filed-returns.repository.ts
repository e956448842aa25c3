import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import type { Month } from '../../platform/time/time.js';
import { FiledReturn } from './entities/filed-return.entity.js';
import { financialYear } from './rules/document-number.js';
import type { FilingChange } from './rules/filed-return.js';

/**
 * Cancelled IRNs, skipped numbers and a corrected GSTIN. A document has the day of its issue, so nothing else
 * changes a month that is over. Without a name, because PostgreSQL plans it for the given days.
 */
const CHANGES = {
  text: `
    SELECT to_char($2::date, 'YYYY-MM') AS month, changed.*
      FROM (SELECT e.cancel_recorded_at AS changed_at, d.number AS subject,
                   format('The IRN of %s was cancelled, so only its number counts.', e.number) AS change,
                   format('Amend it to 0 in table %s of the next return, or in GSTR-1A.',
                          CASE d.kind WHEN 'invoice' THEN '9A' ELSE '9C' END) AS to_do
              FROM tax_documents d JOIN e_invoices e ON e.number IN (d.number, d.against)
             WHERE d.issued_on >= $2::date AND d.issued_on < $2::date + interval '1 month'
               AND d.seller = ANY ($3) AND e.cancel_recorded_at > $4
            UNION ALL
            SELECT happened_at, details->>'from',
                   format('The numbers up to %s were skipped after a restore.', details->>'to'),
                   'If the return has some of them, do not report these again in table 13.'
              FROM audit_log
             WHERE action = 'series.continued' AND happened_at > $4
               AND split_part(details->>'from', '-', 2) = $5
               AND coalesce(nullif(substring(details->>'from' FROM '^[A-Z]+([2-9]?)-'), ''), '1')::int
                   = ANY ($3)
            UNION ALL
            SELECT happened_at, details->>'gstin',
                   format('Documents of the month name the GSTIN %s.', details->>'gstin_before'),
                   'Issue its invoices again: the notes and the new invoices are in the return of that day.'
              FROM audit_log
             WHERE action = 'seller.changed' AND happened_at > $4
               AND details->>'gstin' = $1 AND details->>'gstin_before' IS NOT NULL) AS changed
     ORDER BY changed_at, subject`,
};

@Injectable()
export class FiledReturnsRepository {
  constructor(private readonly database: Database) {}

  /** In the order of the months. */
  list(
    { manager }: { manager: EntityManager },
    gstins: readonly string[],
    months: readonly Month[],
  ): Promise<FiledReturn[]> {
    const where = { gstin: In(gstins), period: In(months) };
    return manager.find(FiledReturn, { where, order: { period: 'ASC' } });
  }

  /** What changed the return since its mark, oldest first. `sellers` are the registrations of its GSTIN. */
  changesSince({ period, gstin, filedAt }: FiledReturn, sellers: readonly number[]): Promise<FilingChange[]> {
    const first = `${period}-01`;
    return this.database.query(CHANGES, [gstin, first, sellers, filedAt, financialYear(first)]);
  }
}
