import { Inject, Injectable } from '@nestjs/common';
import type { Person } from '../people/person.entity.js';
import type { Queries, Transaction } from '../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Month, TimeZone } from '../../platform/time/time.js';
import { PRICES_TO_COME } from '../plans/prices-to-come.repository.js';
import { LOW_STOCK } from '../stock/stock-holdings.repository.js';
import { DEFAULT_LOW_STOCK_THRESHOLD } from '../stock/rules/on-hand.js';
import { WITHDRAWN } from '../orders/rules/return-request.js';
import { DESK_ROLES, WHOLESALER } from '../../platform/access/signed-in-person.js';
import { MAX_COUNTED } from '../../platform/lists/bounded-lists.js';
import {
  FAILING,
  kindsFor,
  type NoticeKind,
  PRICE_CHANGE_DAYS,
  SUBSCRIPTION_DAYS,
  USUAL_KINDS,
} from './rules/kinds.js';
import {
  type NoticeFacts,
  MAX_COUNTED_PRICES,
  MAX_NAMED_ORDERS,
  MAX_LISTED_PRICES,
} from './rules/notice-texts.js';

/** An event of a client, or with client 0 of the desk. */
export type NoticeFact<Kind extends NoticeKind> = NoticeFacts[Kind] & {
  clientId: number;
  /** Only this person gets the notice. */
  personId?: number;
};

const PRICES_NOTICE_AT = `
  greatest(schedule.created_at, schedule.from_at - interval '${PRICE_CHANGE_DAYS} days')`;

/** A UTR has no blank. The reference of a cheque or of cash begins with its kind. */
const REFERENCE = `CASE WHEN t.utr NOT LIKE '% %' THEN 'UTR ' END, t.utr`;

/** Events in words, and their number. */
const firstOf = (words: string, by: string) =>
  `count(*)::int AS count, (array_agg(${words} ORDER BY ${by}))[1:${MAX_NAMED_ORDERS}] AS numbers`;

const DAY_SECONDS = 86_400;

/** Order numbers and store ids of the first orders. */
const numbers = (by: string) => `
  (array_agg(o.order_number || coalesce(' (' || o.store_order_id || ')', '') ORDER BY ${by}, o.order_number)
  )[1:${MAX_NAMED_ORDERS}] AS numbers`;

/** Whole hours of calls. They end a few minutes earlier, because nodes count calls with a delay. */
const hourOf = (time: string) => `date_trunc('hour', ${time} - interval '5 minutes', 'UTC')`;

const SUMS = `sum(requests) AS all, coalesce(sum(requests) FILTER (WHERE status_class > 3), 0) AS failed`;

/**
 * SQL, because each statement reads the events of all clients between two times by an index, and sums them
 * for each client. $1 is the end of the last notice, $2 the new one. The statements have no names: a cached
 * plan from the time of small tables would read all orders.
 */
const FACTS: Record<NoticeKind, string> = {
  payment_due: `
    SELECT o.client_id AS "clientId", count(*)::int AS count, sum(o.total) AS total,
           min(o.payment_due_at) AS "firstDueAt", ${numbers('o.payment_due_at')}
      FROM orders o
     WHERE o.status = 'awaiting_payment' AND o.payment_due_at > $1::timestamptz + make_interval(secs => $3)
       AND o.payment_due_at <= $2::timestamptz + make_interval(secs => $3)
     GROUP BY o.client_id`,
  order_cancelled: `
    SELECT o.client_id AS "clientId", count(*)::int AS count, sum(o.total) AS total,
           ${numbers('o.cancelled_at')}
      FROM orders o
     WHERE o.cancel_reason = 'expired' AND o.cancelled_at > $1 AND o.cancelled_at <= $2
     GROUP BY o.client_id`,
  // A payment that paid all of its orders is no news: its buyer sees the result. Unless more came. Its
  // transaction began when it ended, and paid the orders.
  // Bounded by the time since the last notice.
  money: `
    SELECT "clientId", json_agg(json_build_object('amount', amount::text, 'utr', utr, 'status', status,
             'reason', reason, 'orders', orders, 'paid', paid, 'waiting', waiting) ORDER BY ended) AS news
      FROM (SELECT p.client_id AS "clientId", came.amount, NULL AS utr, p.status, NULL AS reason,
                   p.ended_at AS ended, meant.orders, meant.paid, meant.waiting
              FROM payments p,
                   LATERAL (SELECT count(*)::int AS orders,
                                   (count(*) FILTER (WHERE o.paid_at >= p.ended_at))::int AS paid,
                                   coalesce(array_agg(m.order_number ORDER BY m.order_number)
                                     FILTER (WHERE o.status = 'awaiting_payment'), '{}') AS waiting
                              FROM payment_orders m
                              JOIN orders o USING (client_id, order_number)
                             WHERE (m.client_id, m.payment_id) = (p.client_id, p.payment_id)) AS meant,
                   LATERAL (SELECT coalesce(sum(e.amount), p.amount) AS amount
                              FROM wallet_entries e
                             WHERE (e.client_id, e.payment_id) = (p.client_id, p.payment_id)
                               AND e.kind = 'top_up' AND e.created_at > $1 AND e.created_at <= $2) AS came
             WHERE p.ended_at > $1 AND p.ended_at <= $2
               AND (p.status <> 'paid' OR meant.orders = 0 OR meant.paid < meant.orders
                    OR came.amount > p.amount)
            UNION ALL
            SELECT client_id, coalesce(received, amount), utr, status, reason, decided_at, 0, 0, '{}'
              FROM bank_transfers
             WHERE decided_at > $1 AND decided_at <= $2 AND status IN ('confirmed', 'refused')) AS ended
     GROUP BY "clientId"`,
  // The wallet held the person's amount before the first entry, and does not hold it now.
  low_wallet: `
    SELECT person.client_id AS "clientId", person.id AS "personId", choice.low_wallet AS threshold,
           wallet.balance
      FROM notice_choices choice
      JOIN people person ON person.id = choice.person_id
      JOIN wallets wallet ON wallet.client_id = person.client_id
     WHERE 'low_wallet' = ANY (choice.kinds) AND wallet.balance < choice.low_wallet
       AND choice.low_wallet <= (SELECT balance_after - amount FROM wallet_entries
                                  WHERE client_id = person.client_id AND created_at > $1 AND created_at <= $2
                                  ORDER BY created_at, entry LIMIT 1)`,
  // Only the first of several failing hours.
  calls_failing: `
    WITH hours AS (
           SELECT client_id, hour, ${SUMS} FROM store_request_counts
            WHERE hour >= ${hourOf('$1::timestamptz')} - interval '1 hour'
              AND hour < ${hourOf('$2::timestamptz')}
            GROUP BY client_id, hour),
         failing AS (
           SELECT * FROM hours
            WHERE failed >= ${FAILING.calls} AND failed * 100 >= hours.all * ${FAILING.percent})
    SELECT f.client_id AS "clientId", f.hour, f.failed::float8, f.all::float8,
           ARRAY(SELECT code FROM store_request_counts c
                  WHERE c.client_id = f.client_id AND c.hour = f.hour AND c.status_class > 3
                  GROUP BY code ORDER BY sum(requests) DESC, code LIMIT 3) AS codes
      FROM failing f
     WHERE f.hour >= ${hourOf('$1::timestamptz')}
       AND NOT EXISTS (SELECT FROM failing before
                        WHERE before.client_id = f.client_id AND before.hour = f.hour - interval '1 hour')`,
  // The timeline says when an order was reported as shipped. A courier's file may date it back by some weeks.
  // Without reports of deliveries all orders stay on the way. Two partial indexes, so two parts.
  order_shipped: `
    SELECT o.client_id AS "clientId", count(*)::int AS count, ${numbers('t.changed_at')}
      FROM (SELECT DISTINCT person.client_id
              FROM notice_choices choice JOIN people person ON person.id = choice.person_id
             WHERE 'order_shipped' = ANY (choice.kinds)) AS reader
     CROSS JOIN LATERAL (
           SELECT * FROM orders
            WHERE client_id = reader.client_id AND status = 'shipped'
              AND shipped_at > $1::timestamptz - interval '30 days'
           UNION ALL
           SELECT * FROM orders
            WHERE client_id = reader.client_id AND delivered_at > $1::timestamptz - interval '7 days') AS o
      JOIN order_timeline t ON (t.client_id, t.order_number) = (o.client_id, o.order_number)
     WHERE t.status = 'shipped' AND t.changed_at > $1 AND t.changed_at <= $2
     GROUP BY o.client_id`,
  // Of each change and plan the first prices are read once, for all clients of the plan.
  // Bounded by the schedules that begin soon.
  price_change: `
    WITH news AS (
           SELECT plan.id AS plan_id, schedule.from_at,
                  json_build_object('from', schedule.from_at, 'to', schedule.to_at, 'count', coming.count,
                                    'examples', coming.examples) AS change
             FROM price_schedules schedule
             JOIN plans plan ON EXISTS (SELECT FROM subscriptions
                                         WHERE plan_id = plan.id AND starts_at <= schedule.from_at
                                           AND ends_at > schedule.from_at)
            CROSS JOIN LATERAL (
                  SELECT count(*)::int AS count,
                         (array_agg(json_build_object('sku', sku, 'name', name, 'old', old::text,
                                                      'new', new::text) ORDER BY number))
                           [1:${MAX_LISTED_PRICES}] AS examples
                    FROM (${PRICES_TO_COME} LIMIT ${MAX_COUNTED_PRICES}) AS price) AS coming
            WHERE schedule.closed_at IS NULL AND schedule.applied_at IS NULL AND coming.count > 0
              AND ${PRICES_NOTICE_AT} > $1 AND ${PRICES_NOTICE_AT} <= $2)
    SELECT s.client_id AS "clientId", json_agg(news.change ORDER BY news.from_at) AS changes
      FROM news
      JOIN subscriptions s ON s.plan_id = news.plan_id AND s.starts_at <= news.from_at
                          AND s.ends_at > news.from_at
     GROUP BY s.client_id`,
  // Two partial indexes, so two parts.
  // Bounded by the time since the last notice.
  return_answered: `
    SELECT client_id AS "clientId",
           json_agg(json_build_object('number', return_number, 'order', order_number, 'sendTo', send_to,
                                      'sendBy', send_by, 'state', state, 'reason', reason)
                    ORDER BY at) AS answers
      FROM (SELECT client_id, return_number, order_number, send_to, send_by, state, NULL AS reason,
                   accepted_at AS at
              FROM order_returns
             WHERE accepted_at > $1 AND accepted_at <= $2 AND state = 'requested'
            UNION ALL
            SELECT client_id, return_number, order_number, NULL, NULL, state, decision, decided_at
              FROM order_returns
             WHERE decided_at > $1 AND decided_at <= $2
               AND decision IS DISTINCT FROM '${WITHDRAWN}') AS answer
     GROUP BY client_id`,
  refund: `
    SELECT client_id AS "clientId", sum(amount) AS total,
           ${firstOf(`order_number || ': ' || reason`, 'refunded_at')}
      FROM order_refunds
     WHERE refunded_at > $1 AND refunded_at <= $2 AND amount > 0
     GROUP BY client_id`,
  suspended: `
    SELECT c.id AS "clientId", c.suspended_at AS at,
           (SELECT details->>'reason' FROM audit_log
             WHERE client_id = c.id AND action = 'client.suspended' AND happened_at >= c.suspended_at
             ORDER BY id DESC LIMIT 1) AS reason
      FROM clients c WHERE c.suspended_at > $1 AND c.suspended_at <= $2`,
  subscription_ends: `
    SELECT s.client_id AS "clientId", p.name AS plan, s.ends_at AS "endsAt"
      FROM subscriptions s JOIN plans p ON p.id = s.plan_id
     WHERE EXISTS (SELECT FROM unnest($3::int[]) AS lead (days)
                    WHERE s.ends_at > $1::timestamptz + make_interval(days => lead.days)
                      AND s.ends_at <= $2::timestamptz + make_interval(days => lead.days))
       AND s.starts_at <= $2
       AND NOT EXISTS (SELECT FROM subscriptions next
                        WHERE next.client_id = s.client_id AND next.starts_at >= s.ends_at)`,
  transfer_reported: `
    SELECT 0 AS "clientId", sum(t.amount) AS total,
           ${firstOf(`concat(c.name, ', ', ${REFERENCE})`, 't.announced_at')}
      FROM bank_transfers t JOIN clients c ON c.id = t.client_id
     WHERE t.status = 'announced' AND t.announced_at > $1 AND t.announced_at <= $2 HAVING count(*) > 0`,
  return_requested: `
    SELECT 0 AS "clientId",
           ${firstOf(
             `r.return_number || ' of ' || r.order_number || ', ' || c.name || ': ' || r.reason`,
             'r.requested_at',
           )}
      FROM order_returns r JOIN clients c ON c.id = r.client_id
     WHERE r.state = 'requested' AND r.requested_at > $1 AND r.requested_at <= $2 HAVING count(*) > 0`,
  payment_to_check: `
    SELECT 0 AS "clientId", count(*)::int AS count,
           (array_agg(json_build_object('client', c.name, 'amount', amount::text, 'concern', concern)
              ORDER BY concerned_at))[1:${MAX_NAMED_ORDERS}] AS payments
      FROM (SELECT client_id, amount, concern, concerned_at FROM payments WHERE concern IS NOT NULL
            UNION ALL
            SELECT client_id, amount, concern, concerned_at FROM gateway_refunds
             WHERE concern IS NOT NULL) AS p
      JOIN clients c ON c.id = p.client_id
     WHERE concerned_at > $1 AND concerned_at <= $2 HAVING count(*) > 0`,
  low_stock: `
    SELECT 0 AS "clientId",
           ${firstOf(`concat_ws(' ', sku, name, nullif(variation, '')) || ': ' || for_sale`, 'for_sale, sku')}
      FROM (${LOW_STOCK} LIMIT ${MAX_COUNTED}) AS low HAVING count(*) > 0`,
  job_failed: `
    SELECT 0 AS "clientId", ${firstOf('job', 'job')}
      FROM job_failures WHERE failed_at > $1 AND failed_at <= $2 HAVING count(*) > 0`,
  // Bounded by the time since the last notice.
  statement: `
    SELECT client_id AS "clientId", array_agg(month ORDER BY month) AS months
      FROM statement_mails WHERE requested_at > $1 AND requested_at <= $2 GROUP BY client_id`,
};

/** A person who gets a notice. */
export interface NoticeReader extends Pick<Person, 'name' | 'email'> {
  personId: number;
  clientId: number;
  clientName: string;
  timeZone: TimeZone;
}

/**
 * SQL, because the role decides for people who have chosen nothing. Events of the desk have client 0: their
 * readers are the wholesaler's people with one of these roles.
 */
const READERS = {
  text: `
    SELECT person.id AS "personId", person.name, person.email, coalesce(person.client_id, 0) AS "clientId",
           coalesce(client.name, '${WHOLESALER}') AS "clientName",
           coalesce(client.time_zone, $3) AS "timeZone"
      FROM people person
      LEFT JOIN clients client ON client.id = person.client_id
      LEFT JOIN notice_choices choice ON choice.person_id = person.id
     WHERE (person.client_id = ANY ($1)
            OR person.client_id IS NULL AND 0 = ANY ($1) AND person.role = ANY ($5))
       AND person.disabled_at IS NULL AND person.password_hash IS NOT NULL
       AND $2 = ANY (coalesce(choice.kinds, CASE WHEN person.role <> 'viewer' THEN $4::text[] END))`,
};

/** The clients, or one, whose wallets were in use before the end of the month. */
const STATEMENT_CLIENTS = {
  text: `
    SELECT c.id AS "clientId", c.name, m.client_id IS NOT NULL AS "isMailed"
      FROM clients c LEFT JOIN statement_mails m ON (m.client_id, m.month) = (c.id, $1)
     WHERE EXISTS (SELECT FROM wallet_entries e WHERE e.client_id = c.id AND e.created_at < $2)
       AND ($3::int IS NULL OR c.id = $3)
     ORDER BY c.id`,
};

const REQUEST_STATEMENTS = {
  text: `
    INSERT INTO statement_mails (client_id, month) SELECT unnest($1::int[]), $2
    ON CONFLICT DO NOTHING RETURNING client_id`,
};

/** The mark of a kind. It is skipped if another node has locked it. */
const MARK = {
  text: `
    SELECT greatest(told_until, now() - interval '2 days') AS "from", now() AS now
      FROM notice_marks WHERE kind = $1 FOR UPDATE SKIP LOCKED`,
};

@Injectable()
export class NoticesRepository {
  /** Lead time of the payment reminder. */
  private readonly leadSeconds: number;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    this.leadSeconds = Math.min(DAY_SECONDS, (settings.paymentWindowHours * 3_600) / 2);
  }

  /** Locks the kind. Undefined if another node holds the lock. After a long pause, covers only two days. */
  async mark(transaction: Transaction, kind: NoticeKind): Promise<{ from: Date; now: Date } | undefined> {
    const [mark] = await transaction.query<{ from: Date; now: Date }>(MARK, [kind]);
    return mark;
  }

  statementClients(
    queries: Queries,
    month: Month,
    end: Date,
    clientId?: number,
  ): Promise<{ clientId: number; name: string; isMailed: boolean }[]> {
    return queries.query(STATEMENT_CLIENTS, [month, end, clientId ?? null]);
  }

  /** Returns how many were not requested before. */
  async requestStatements(queries: Queries, month: Month, clientIds: number[]): Promise<number> {
    return (await queries.query(REQUEST_STATEMENTS, [clientIds, month])).length;
  }

  readers(transaction: Queries, kind: NoticeKind, clientIds: number[]): Promise<NoticeReader[]> {
    const roles = DESK_ROLES.filter((role) => kindsFor({ clientId: null, role }).includes(kind));
    const values = [clientIds, kind, this.settings.timeZone, USUAL_KINDS, roles];
    return transaction.query<NoticeReader & object>(READERS, values);
  }

  async factsBetween<Kind extends NoticeKind>(
    transaction: Transaction,
    kind: Kind,
    [from, until]: [Date, Date],
  ): Promise<NoticeFact<Kind>[]> {
    const more: Partial<Record<NoticeKind, unknown>> = {
      payment_due: this.leadSeconds,
      subscription_ends: SUBSCRIPTION_DAYS,
    };
    const values = kind === 'low_stock' ? [DEFAULT_LOW_STOCK_THRESHOLD] : [from, until];
    return transaction.query<NoticeFact<Kind>>(
      { text: FACTS[kind] },
      kind in more ? [...values, more[kind]] : values,
    );
  }
}
