import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';

/**
 * What must never be found. The database refuses most of it as it is written; this asks again, of all that is there, because a
 * restored backup or a hand in the tables may have got past it. Set-based over whole tables, so raw.
 */
const CONTRADICTIONS: Record<string, string> = {
  'the balance is not what its entries come to': `
    SELECT w.client_id, w.balance, coalesce(sum(e.amount), 0) AS entries
      FROM wallets w LEFT JOIN wallet_entries e USING (client_id)
     GROUP BY w.client_id HAVING w.balance <> coalesce(sum(e.amount), 0)`,
  'entries are missing or too many': `
    SELECT w.client_id, w.entries AS counted, count(e.entry) AS found, max(e.entry) AS last
      FROM wallets w LEFT JOIN wallet_entries e USING (client_id)
     GROUP BY w.client_id HAVING w.entries <> count(e.entry) OR w.entries <> coalesce(max(e.entry), 0)`,
  'an entry does not go on from the one before it': `
    SELECT client_id, entry, balance_after, running
      FROM (SELECT *, sum(amount) OVER (PARTITION BY client_id ORDER BY entry) AS running FROM wallet_entries) AS e
     WHERE balance_after <> running`,
  'a payment is not what its order comes to': `
    SELECT e.client_id, e.entry, e.order_number, e.amount, o.total, o.payment_status
      FROM wallet_entries e JOIN orders o USING (client_id, order_number)
     WHERE e.kind = 'order_payment' AND (e.amount <> -o.total OR o.payment_status = 'unpaid')`,
  'a refund is not what its order came to': `
    SELECT e.client_id, e.entry, e.order_number, e.amount, o.total, o.payment_status
      FROM wallet_entries e JOIN orders o USING (client_id, order_number)
     WHERE e.kind = 'order_refund' AND (e.amount <> o.total OR o.payment_status <> 'refunded')`,
  'an order was refunded, but its money is not in the wallet': `
    SELECT o.client_id, o.order_number, o.total
      FROM orders o
     WHERE o.payment_status = 'refunded' AND o.total > 0
       AND EXISTS (SELECT FROM wallet_entries e
                    WHERE (e.client_id, e.order_number, e.kind) = (o.client_id, o.order_number, 'order_payment'))
       AND NOT EXISTS (SELECT FROM wallet_entries e
                        WHERE (e.client_id, e.order_number, e.kind) = (o.client_id, o.order_number, 'order_refund'))`,
};

export interface Contradiction {
  what: string;
  rows: Record<string, unknown>[];
}

/** Says where the books do not add up; of each kind the first few. */
@Injectable()
export class WalletBooks {
  constructor(private readonly database: Database) {}

  async check(): Promise<Contradiction[]> {
    const found: Contradiction[] = [];
    for (const [what, text] of Object.entries(CONTRADICTIONS)) {
      const rows = await this.database.query(
        { name: `books: ${what}`.slice(0, 63), text: `${text} LIMIT 20` },
        [],
      );
      if (rows.length > 0) found.push({ what, rows });
    }
    return found;
  }
}
