import { Injectable } from '@nestjs/common';
import { normaliseReturnNumber, numberEnd, readNumberEnd } from '../../orders/rules/order-number.js';
import { RETURN_STATES, type ReturnState, rtoKey } from '../../orders/rules/return-request.js';
import type { Day } from '../../../platform/time/time.js';
import { Database, type Queries } from '../../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../../platform/lists/bounded-lists.js';

export interface ReturnFilter {
  clientId?: number;
  state?: ReturnState;
  since?: Date;
}

export interface ReturnRecord {
  number: string;
  order_number: string;
  client_id: number;
  client: string;
  store_order_id: string | null;
  store_return_id: string | null;
  state: ReturnState;
  /** It was requested, and is not accepted. An RTO needs no answer. */
  awaits_answer: boolean;
  /** A courier brought a parcel back: its goods were not with a customer. */
  is_rto: boolean;
  reason: string;
  note: string | null;
  requested_at: Date;
  requested_by: string;
  accepted_at: Date | null;
  accepted_by: string | null;
  send_to: string | null;
  send_by: Day | null;
  decided_at: Date | null;
  decided_by: string | null;
  decision: string | null;
  refunded: number;
  /** The amount that other refunds paid for its lines. */
  refunded_otherwise: number;
  /** A person must still decide about its refund. */
  refund_open: boolean;
  currency: string;
  lines: {
    line: number;
    sku: string;
    name: string;
    variation: string;
    quantity: number;
    received: number | null;
    restocked: number;
    /** The amount refunded for its units, less amounts taken back. */
    refunded: number;
  }[];
}

export type NamedReturn = Pick<ReturnRecord, 'number' | 'order_number' | 'client'>;

const IS_RTO = `r.key LIKE '${rtoKey('%')}'`;

/** Returns that the client or its store requested, and that are neither accepted nor refused. */
const AWAITS_ANSWER = `r.state = 'requested' AND r.accepted_at IS NULL AND NOT ${IS_RTO}`;

export interface OpenReturns {
  all: BoundedCount;
  /** Of these. */
  toAnswer: number;
}

/** SQL, because a cursor reads the returns row by row, each with its lines. */
const selectReturns = (from = 'order_returns') => `
  SELECT r.return_number AS number, r.order_number, r.client_id, c.name AS client, o.store_order_id,
         r.store_return_id, r.state, r.reason, r.note, r.requested_at, r.actor AS requested_by,
         r.accepted_at, r.accepted_by, r.send_to, r.send_by::text, r.decided_at, r.decided_by, r.decision,
         r.refund_open, ${AWAITS_ANSWER} AS awaits_answer, ${IS_RTO} AS is_rto,
         coalesce((SELECT sum(f.amount) FROM order_refunds f
                    WHERE (f.client_id, f.order_number) = (r.client_id, r.order_number)
                      AND f.return_number = r.return_number), 0)::float8 AS refunded, o.currency,
         coalesce((SELECT sum(p.amount)
                     FROM order_return_items l
                     JOIN order_refund_items p USING (client_id, order_number, line)
                     JOIN order_refunds f USING (client_id, order_number, refund)
                     LEFT JOIN order_refunds t ON (t.client_id, t.order_number, t.refund)
                                                  = (f.client_id, f.order_number, f.takes_back)
                    WHERE (l.client_id, l.order_number, l.return_number)
                          = (r.client_id, r.order_number, r.return_number)
                      AND l.received > 0 AND f.return_number IS NULL
                      AND coalesce(t.kind, f.kind) = 'lines'), 0)::float8 AS refunded_otherwise,
         -- Bounded by the lines of an order.
         (SELECT json_agg(json_build_object(
                   'line', l.line, 'sku', i.sku, 'name', i.name,
                   'variation', coalesce(nullif(i.variation_key, ''), i.remark, ''),
                   'quantity', l.quantity, 'received', l.received, 'restocked', l.restocked,
                   'refunded', coalesce((
                     SELECT sum(p.amount)
                       FROM order_refunds f JOIN order_refund_items p USING (client_id, order_number, refund)
                      WHERE (f.client_id, f.order_number) = (r.client_id, r.order_number)
                        AND f.return_number = r.return_number AND p.line = l.line), 0)::float8)
                 ORDER BY l.line)
            FROM order_return_items l JOIN order_items i USING (client_id, order_number, line)
           WHERE (l.client_id, l.order_number, l.return_number)
                 = (r.client_id, r.order_number, r.return_number)) AS lines
    FROM ${from} r
    JOIN orders o USING (client_id, order_number)
    JOIN clients c ON c.id = r.client_id`;

const LIST_RETURNS = `${selectReturns()}
   WHERE ($1::int IS NULL OR r.client_id = $1) AND ($2::text IS NULL OR r.state = $2)
     AND ($3::timestamptz IS NULL OR r.requested_at >= $3) AND ($4::text IS NULL OR r.return_number = $4)
   ORDER BY r.requested_at DESC, r.return_number`;

const POSITION = '(SELECT requested_at, return_number FROM order_returns WHERE return_number = $4)';

/** The index begins with the state, so each state gives its newest returns. */
const newestOfState = (state: ReturnState) => `
         (SELECT * FROM order_returns
           WHERE state = '${state}' AND ($1::int IS NULL OR client_id = $1)
             AND ($3::timestamptz IS NULL OR requested_at >= $3)
             AND ($4::text IS NULL OR (requested_at, return_number) < ${POSITION})
           ORDER BY requested_at DESC, return_number DESC LIMIT $2)`;

const newestReturns = (states: readonly ReturnState[]) => `
  ${selectReturns(`(${states.map(newestOfState).join(' UNION ALL ')})`)}
   ORDER BY r.requested_at DESC, r.return_number DESC LIMIT $2`;

/** Requested returns begin with the oldest, decided ones with the newest. */
const pageQuery = (state: ReturnState, after: boolean) => {
  const [beyond, direction] = state === 'requested' ? ['>', 'ASC'] : ['<', 'DESC'];
  const position = '(SELECT requested_at, return_number FROM order_returns WHERE return_number = $3)';
  return `${selectReturns()}
   WHERE r.state = $1 ${after ? `AND (r.requested_at, r.return_number) ${beyond} ${position}` : ''}
   ORDER BY r.requested_at ${direction}, r.return_number ${direction} LIMIT $2`;
};

/** Received returns that wait for a decision about their refund, the oldest first. */
const TO_REFUND = `${selectReturns()}
   WHERE r.refund_open ORDER BY r.decided_at, r.return_number LIMIT $1`;

const FIND_NAMED = `
  SELECT r.return_number AS number, r.order_number, c.name AS client
    FROM order_returns r JOIN clients c ON c.id = r.client_id
   WHERE r.return_number = $1 OR ${numberEnd('r.return_number')} = $2
   ORDER BY r.return_number`;

const COUNT_OPEN = `
  SELECT count(*)::int AS count, count(*) FILTER (WHERE ${AWAITS_ANSWER})::int AS "toAnswer"
    FROM (SELECT * FROM order_returns WHERE state = 'requested' ORDER BY requested_at
           LIMIT ${MAX_COUNTED + 1}) AS r`;

/** The returns of all clients. */
@Injectable()
export class ReturnsRepository {
  constructor(private readonly database: Database) {}

  /** A page after the return with this number. */
  page(state: ReturnState, after: string | undefined, limit: number): Promise<ReturnRecord[]> {
    const values = [state, limit, ...(after === undefined ? [] : [after])];
    return this.database.query<ReturnRecord>({ text: pageQuery(state, after !== undefined) }, values);
  }

  /** The newest returns of one state or of all, or those after the return with this number. */
  newest(
    { clientId, state, since }: ReturnFilter,
    after: string | undefined,
    limit: number,
  ): Promise<ReturnRecord[]> {
    const text = newestReturns(state === undefined ? RETURN_STATES : [state]);
    const values = [clientId ?? null, limit, since ?? null, after ?? null];
    return this.database.query<ReturnRecord>({ text }, values);
  }

  toRefund(limit: number): Promise<ReturnRecord[]> {
    return this.database.query<ReturnRecord>({ text: TO_REFUND }, [limit]);
  }

  /** Not received and not refused. */
  async countOpen(): Promise<OpenReturns> {
    const [found] = await this.database.query<{ count: number; toAnswer: number }>({ text: COUNT_OPEN }, []);
    return { all: toBoundedCount(found!.count), toAnswer: found!.toAnswer };
  }

  /** Newest first. */
  list({ clientId, state, since }: ReturnFilter, limit?: number): AsyncGenerator<ReturnRecord, number> {
    const values = [clientId ?? null, state ?? null, since ?? null, null];
    return this.database.stream<ReturnRecord>(LIST_RETURNS, values, limit);
  }

  async find(returnNumber: string): Promise<ReturnRecord | undefined> {
    const values = [null, null, null, returnNumber];
    const [found] = await this.database.query<ReturnRecord>({ text: LIST_RETURNS }, values);
    return found;
  }

  /** The returns with a number, or with the end of one, in any spelling. */
  findNamed(typed: string, within: Queries = this.database): Promise<NamedReturn[]> {
    const values = [normaliseReturnNumber(typed), readNumberEnd(typed)];
    return within.query({ text: FIND_NAMED }, values);
  }
}
