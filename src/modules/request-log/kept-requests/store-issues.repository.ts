import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { testRoute } from '../recording/request-counts.js';
import { ORDERS } from '../recording/kept-request.js';

/** Refused orders with the same reason for the same goods. */
export interface Refusals {
  code: string;
  /** What the store read, such as "items[0].quantity must be at least 1". Null if it is not kept. */
  fault: string | null;
  /** Null if the reason is not about a line. */
  sku: string | null;
  /** The number of orders. */
  times: number;
  clients: number;
  /** The latest refused order in the log of calls, and its store. */
  lastId: string;
  clientId: number;
  client: string;
}

/** A store whose calls fail, or that stopped calling. */
export interface StoreWithIssues {
  clientId: number;
  client: string;
  /** Calls of the last 24 hours. */
  calls: number;
  refused: number;
  failed: number;
  /** Calls per day in the week before. */
  usual: number;
}

/** A limit of the work: further refusals of a day have the same reasons. */
const MAX_READ = 5_000;

/** SQL, because the reasons stand in JSON. */
const REFUSALS = {
  text: `
    SELECT refusals.code, sku, fault, times, clients,
           last.id AS "lastId", last.client_id AS "clientId", name AS client
      FROM (SELECT code, sku, field, min(message) AS fault, count(DISTINCT id)::int AS times,
                   count(DISTINCT client_id)::int AS clients, max(id) AS last_id
              FROM (SELECT id, client_id, coalesce(nullif(fault ->> 'code', ''), code) AS code,
                           fault ->> 'sku' AS sku,
                           regexp_replace(fault ->> 'field', '\\[\\d+\\]', '') AS field,
                           CASE fault ->> 'field' WHEN '' THEN fault ->> 'message'
                             ELSE (fault ->> 'field') || ' ' || coalesce(fault ->> 'message', 'is wrong')
                           END AS message
                      FROM (SELECT id, client_id, code, faults FROM store_requests
                             WHERE answered_at >= $1 AND method = 'POST' AND route = '${ORDERS}'
                               AND status BETWEEN 400 AND 499
                             ORDER BY answered_at DESC LIMIT ${MAX_READ}) AS refused
                      LEFT JOIN LATERAL jsonb_array_elements(faults) AS fault ON true) AS reason
             GROUP BY code, sku, field, CASE code WHEN 'token_invalid' THEN message END
             ORDER BY times DESC, code, sku
             LIMIT $2) AS refusals
      JOIN store_requests last ON last.id = last_id
      JOIN clients ON clients.id = last.client_id
     ORDER BY times DESC, code, sku`,
};

/** The number of calls from which a share of errors, or silence, is significant. */
const ENOUGH = 20;

/** SQL, because sums of two periods are compared. */
const STORES = {
  text: `
    SELECT client_id AS "clientId", name AS client, calls, refused, failed, usual
      FROM (SELECT client_id,
                   coalesce(sum(requests) FILTER (WHERE is_new), 0)::float8 AS calls,
                   coalesce(sum(requests) FILTER (WHERE is_new AND status_class = 4), 0)::float8 AS refused,
                   coalesce(sum(requests) FILTER (WHERE is_new AND status_class = 5), 0)::float8 AS failed,
                   coalesce(round(sum(requests) FILTER (WHERE NOT is_new) / 7), 0)::float8 AS usual
              FROM store_request_counts,
                   LATERAL (SELECT hour > now() - interval '1 day') AS day (is_new)
             WHERE hour > now() - interval '8 days' AND route NOT LIKE '${testRoute('%')}'
             GROUP BY client_id) AS sums
      JOIN clients ON clients.id = client_id
     WHERE suspended_at IS NULL
       AND (calls = 0 AND usual >= ${ENOUGH} OR calls >= ${ENOUGH} AND (refused + failed) * 2 >= calls)
     ORDER BY calls = 0 DESC, refused + failed DESC, client_id
     LIMIT $1`,
};

/** Problems between stores and the service, for the wholesaler. */
@Injectable()
export class StoreIssues {
  constructor(private readonly database: Database) {}

  /** The most frequent reasons since a time. */
  refusals(since: Date, limit: number): Promise<Refusals[]> {
    return this.database.query<Refusals & object>(REFUSALS, [since, limit]);
  }

  /** Stores with half of their calls refused or failed, and stores without calls for a day. */
  stores(limit: number): Promise<StoreWithIssues[]> {
    return this.database.query<StoreWithIssues & object>(STORES, [limit]);
  }
}
