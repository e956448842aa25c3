import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { onePage } from '../../../platform/lists/bounded-lists.js';
import { StoreRequest } from '../entities/store-request.entity.js';
import { ORDERS } from '../recording/kept-request.js';

export interface RequestFilter {
  /** Only refusals and failures. */
  failed?: boolean;
  /** Empty for successes. */
  code?: string;
  route?: string;
  /** The request id, or the store's id of an order. */
  id?: string;
  since?: Date;
  until?: Date;
}

export interface RequestPage {
  requests: StoreRequest[];
  /** The cursor of the next page, if there is one. */
  older?: string;
}

/** A refused order, or the number of refused orders that the log left out in an hour. */
export type RefusedOrder = Pick<StoreRequest, 'code'> & {
  refused_at: Date;
  client_id: number;
  client: string;
  store_order_id: string | null;
  asked: NonNullable<StoreRequest['asked']>;
  reasons: StoreRequest['faults'];
};

/** A refused or failed request that is searched by an id. */
export interface FailedRequest extends Pick<RefusedOrder, 'client_id' | 'client' | 'code' | 'reasons'> {
  id: string;
  /** The searched one. */
  named: string;
  answered_at: Date;
}

const PAGE = 50;

/** Further requests are not searched for the store's id of an order, which has no index. */
const MAX_SEARCHED = 5_000;

/** As an array, so that PostgreSQL looks up each request by its key. */
const HAS_ID = `request.id = ANY (ARRAY(
  SELECT id FROM store_requests
   WHERE client_id = :clientId AND request_id BETWEEN :wantedId AND :lastId
     AND starts_with(request_id, :wantedId)
  UNION ALL
  SELECT id FROM (SELECT id, store_order_id FROM store_requests WHERE client_id = :clientId
                   ORDER BY answered_at DESC, id DESC LIMIT ${MAX_SEARCHED}) AS newest
   WHERE store_order_id = :wantedId))`;

/** SQL, because it reads a bounded part of the log. Without a name, so that each size of it has its plan. */
const FAILED_WITH_ID = {
  text: `
    SELECT r.id, $1 AS named, r.answered_at, r.client_id, c.name AS client, r.code, r.faults AS reasons
      FROM (SELECT * FROM store_requests ORDER BY answered_at DESC LIMIT ${4 * MAX_SEARCHED}) r
      JOIN clients c ON c.id = r.client_id
     WHERE r.status >= 400
       AND ($1 = r.store_order_id OR r.request_id BETWEEN $1 AND $3 AND starts_with(r.request_id, $1))
     ORDER BY r.answered_at DESC
     LIMIT $2`,
};

/** As pages shorten a request id. */
const SHORTENED = /^([\w.-]{8})…?$/;

/** The first and the last request id that a typed text names: "z" sorts after the other characters of ids. */
function idsFrom(text: string) {
  const wantedId = SHORTENED.exec(text)?.[1];
  return wantedId === undefined
    ? { wantedId: text, lastId: text }
    : { wantedId, lastId: wantedId + 'z'.repeat(57) };
}

const CURSOR = /^(\d{1,15})-(\d{1,18})$/;

/** SQL, because commands read it through a cursor, row by row, however long it is. */
const refusedOrders = (more = '') => `
  SELECT r.refused_at, r.client_id, c.name AS client, r.store_order_id, r.code, r.asked,
         r.reasons${more}
    FROM (SELECT id, answered_at AS at, answered_at AS refused_at, client_id, store_order_id, code,
                 coalesce(asked, '[]') AS asked, faults AS reasons
            FROM store_requests
           WHERE method = 'POST' AND route = '${ORDERS}' AND status BETWEEN 400 AND 499
          UNION ALL
          -- One row for each client and hour, with a number that no request has.
          SELECT -client_id, hour + interval '1 hour', least(hour + interval '1 hour', now()), client_id,
                 NULL, 'not_kept', '[]',
                 jsonb_build_array(jsonb_build_object('field', '', 'code', 'not_kept',
                   'message', format('%s more were refused in this hour', sum(left_out))))
            FROM store_request_counts
           WHERE method = 'POST' AND route = '${ORDERS}' AND status_class = 4 AND left_out > 0
           GROUP BY client_id, hour) r
    JOIN clients c ON c.id = r.client_id
   WHERE ($1::int IS NULL OR r.client_id = $1) AND ($2::timestamptz IS NULL OR r.refused_at >= $2)
     AND ($3::timestamptz IS NULL OR (r.at, r.id) < ($3, $4::bigint))
   ORDER BY r.at DESC, r.id DESC`;

const REFUSED_PAGE = { text: `${refusedOrders(', r.at, r.id::text AS id')} LIMIT $5` };

/** The position of a refused order in their list. */
export interface RefusedPosition {
  at: Date;
  id: string;
}

export type PlacedRefusal = RefusedOrder & RefusedPosition;

/** The kept requests: writes, refusals and failures. */
@Injectable()
export class RequestHistory {
  constructor(
    private readonly database: Database,
    @InjectRepository(StoreRequest) private readonly requests: Repository<StoreRequest>,
  ) {}

  /** One page after the cursor, newest first. */
  async list(clientId: number, filter: RequestFilter, cursor?: string): Promise<RequestPage> {
    const { failed, code, route, id, since, until } = filter;
    const query = this.requests.createQueryBuilder('request').where({ clientId });
    // A literal, so that PostgreSQL can use the partial index.
    if (failed) query.andWhere('request.status >= 400');
    if (code !== undefined) query.andWhere({ code });
    if (route !== undefined) query.andWhere({ route });
    if (id !== undefined) query.andWhere(HAS_ID, { clientId, ...idsFrom(id) });
    if (since !== undefined) query.andWhere('request.answeredAt >= :since', { since });
    if (until !== undefined) query.andWhere('request.answeredAt < :until', { until });
    if (cursor !== undefined) {
      const after = readRequestCursor(cursor);
      if (!after) throw new DomainError('invalid_value', 'There is no such page of the list.');
      query.andWhere('(request.answeredAt, request.id) < (:answeredAt, :id)', after);
    }
    const rows = await query
      .orderBy({ 'request.answeredAt': 'DESC', 'request.id': 'DESC' })
      .limit(PAGE + 1)
      .getMany();
    const { rows: requests, last } = onePage(rows, PAGE);
    return { requests, ...(last && { older: `${last.answeredAt.getTime()}-${last.id}` }) };
  }

  /** A request by its number, because several requests may have one request id. */
  async find(clientId: number, id: string): Promise<StoreRequest> {
    const request = /^\d{1,18}$/.test(id) ? await this.requests.findOneBy({ clientId, id }) : null;
    if (!request)
      throw new DomainError('request_not_found', 'There is no such request, or it is not kept any more.');
    return request;
  }

  /** Among the newest requests of all stores, by the id of the request or of the store's order. */
  findFailed(id: string, limit: number): Promise<FailedRequest[]> {
    const { wantedId, lastId } = idsFrom(id);
    return this.database.query<FailedRequest & object>(FAILED_WITH_ID, [wantedId, limit, lastId]);
  }

  /** A page of them, after a position. */
  refusedPage(
    { clientId, from }: { clientId?: number; from?: Date },
    after: RefusedPosition | undefined,
    limit: number,
  ): Promise<PlacedRefusal[]> {
    const values = [clientId ?? null, from ?? null, after?.at ?? null, after?.id ?? null, limit];
    return this.database.query<PlacedRefusal>(REFUSED_PAGE, values);
  }
}

const REFUSED_CURSOR = /^(\d{1,15})_(-?\d{1,18})$/;

export const writeRefusedCursor = ({ at, id }: RefusedPosition): string => `${at.getTime()}_${id}`;

/** `undefined` for a text that is not a cursor. */
export function readRefusedCursor(text: string): RefusedPosition | undefined {
  const [, time, id] = REFUSED_CURSOR.exec(text) ?? [];
  const at = new Date(Number(time));
  return id === undefined || Number.isNaN(at.getTime()) ? undefined : { at, id };
}

/** `undefined` for a text that is not a cursor. */
export function readRequestCursor(text: string): Pick<StoreRequest, 'answeredAt' | 'id'> | undefined {
  const [, time, id] = CURSOR.exec(text) ?? [];
  const answeredAt = new Date(Number(time));
  return id === undefined || Number.isNaN(answeredAt.getTime()) ? undefined : { answeredAt, id };
}
