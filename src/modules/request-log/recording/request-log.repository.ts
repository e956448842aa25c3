import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { KeptRequest } from './kept-request.js';
import type { RequestCount } from './request-counts.js';

/** Requests or counts for one transaction. */
export interface LogBatch {
  requests: KeptRequest[];
  counts: RequestCount[];
  /** Only the COMMIT remains. If that fails, the batch may be written or not. */
  isSent?: boolean;
}

/** Arbitrary numbers, the same on every node. */
const FORGET_LOCKS = { requests: 7_214_055, counts: 7_214_056 };

/** SQL, because a batch is one statement and skips deleted clients. */
const KEEP = {
  name: 'request-log-keep',
  text: `
    INSERT INTO store_requests (client_id, answered_at, request_id, token_id, domain, method, route, path,
      parameters, status, code, faults, asked, store_order_id, order_number, milliseconds)
    SELECT client.id, "answeredAt", "requestId", "tokenId", domain, method, route, path, parameters,
           status, code, faults, nullif(asked, 'null'), "storeOrderId", "orderNumber", milliseconds
      FROM ROWS FROM (jsonb_to_recordset($1) AS ("clientId" int, "answeredAt" timestamptz, "requestId" text,
             "tokenId" int, domain text, method text, route text, path text, parameters text[],
             status smallint, code text, faults jsonb, asked jsonb, "storeOrderId" text, "orderNumber" text,
             milliseconds real)) WITH ORDINALITY AS request
      JOIN clients client ON client.id = "clientId"
     ORDER BY ordinality`,
};

/** SQL for the same reasons. Sorted, so that two nodes cannot deadlock. */
const ADD = {
  name: 'request-log-add',
  text: `
    INSERT INTO store_request_counts AS c (client_id, hour, method, route, status_class, code, requests,
      kept, left_out)
    SELECT client.id, hour, method, route, "statusClass", code, requests, kept, "leftOut"
      FROM jsonb_to_recordset($1) AS added ("clientId" int, hour timestamptz, method text, route text,
             "statusClass" smallint, code text, requests bigint, kept int, "leftOut" bigint)
      JOIN clients client ON client.id = "clientId"
     ORDER BY client.id, hour, method, route, "statusClass", code
    ON CONFLICT (client_id, hour, method, route, status_class, code) DO UPDATE
       SET requests = c.requests + excluded.requests, kept = c.kept + excluded.kept,
           left_out = c.left_out + excluded.left_out`,
};

const TRY_TURN = {
  name: 'request-log-try-turn',
  text: 'SELECT pg_try_advisory_xact_lock($1) AS "isOurs"',
};

/** SQL, because one statement deletes a whole batch. */
const FORGET = {
  requests: {
    name: 'request-log-forget',
    text: `
      DELETE FROM store_requests
       WHERE id IN (SELECT id FROM store_requests WHERE answered_at < $1 ORDER BY answered_at LIMIT $2)
      RETURNING true`,
  },
  counts: {
    name: 'request-log-forget-counts',
    text: `
      DELETE FROM store_request_counts
       WHERE ctid = ANY (ARRAY(SELECT ctid FROM store_request_counts WHERE hour < $1 ORDER BY hour LIMIT $2))
      RETURNING true`,
  },
};

@Injectable()
export class RequestLogRepository {
  constructor(private readonly database: Database) {}

  write(batch: LogBatch): Promise<void> {
    return this.database.transaction(async (transaction) => {
      batch.isSent = false;
      if (batch.counts.length > 0) await transaction.query(ADD, [JSON.stringify(batch.counts)]);
      if (batch.requests.length > 0) await transaction.query(KEEP, [JSON.stringify(batch.requests)]);
      batch.isSent = true;
    });
  }

  /** Deletes one batch of older rows and returns its size; 0 while another node deletes. */
  forget(table: 'requests' | 'counts', before: Date, batchSize: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const [turn] = await transaction.query<{ isOurs: boolean }>(TRY_TURN, [FORGET_LOCKS[table]]);
      if (!turn!.isOurs) return 0;
      return (await transaction.query(FORGET[table], [before, batchSize])).length;
    });
  }
}
