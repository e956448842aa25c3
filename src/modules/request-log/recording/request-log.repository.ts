import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { HourQuota } from '../rules/hour-quota.js';
import { bytesOf, type KeptRequest } from './kept-request.js';
import { beginOf, type RequestCount, hourOf, type RequestOutcome, outcomeOf } from './request-counts.js';

/** Requests or counts for one transaction. */
export interface LogBatch {
  requests: KeptRequest[];
  counts: RequestCount[];
  /** Only the COMMIT remains. If that fails, the batch may be written or not. */
  isSent?: boolean;
}

/** An addition to a stored count. */
interface Addition extends Omit<RequestCount, 'hour'> {
  hour: Date;
  kept: number;
  keptBytes: number;
}

interface UsedBytes extends Pick<RequestOutcome, 'route' | 'statusClass' | 'code'> {
  clientId: number;
  hour: Date;
  bytes: number;
}

/** Arbitrary numbers, the same on every node. */
const LOG_LOCK = 7_214_054;
const FORGET_LOCKS = { requests: 7_214_055, counts: 7_214_056 };

/** SQL, because TypeORM locks only rows, and a new hour has none yet. */
const TAKE_TURNS = { name: 'request-log-take-turns', text: 'SELECT pg_advisory_xact_lock($1)' };

const USED_BYTES = {
  name: 'request-log-room',
  text: `
    SELECT client_id AS "clientId", hour, route, status_class AS "statusClass", code,
           sum(kept_bytes)::int AS bytes
      FROM store_request_counts
      JOIN unnest($1::int[], $2::timestamptz[]) AS asked (client_id, hour) USING (client_id, hour)
     WHERE kept > 0
     GROUP BY client_id, hour, route, status_class, code`,
};

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
      kept, kept_bytes, left_out)
    SELECT client.id, hour, method, route, "statusClass", code, requests, kept, "keptBytes", "leftOut"
      FROM jsonb_to_recordset($1) AS added ("clientId" int, hour timestamptz, method text, route text,
             "statusClass" smallint, code text, requests bigint, kept int, "keptBytes" int, "leftOut" bigint)
      JOIN clients client ON client.id = "clientId"
     ORDER BY client.id, hour, method, route, "statusClass", code
    ON CONFLICT (client_id, hour, method, route, status_class, code) DO UPDATE
       SET requests = c.requests + excluded.requests, kept = c.kept + excluded.kept,
           kept_bytes = c.kept_bytes + excluded.kept_bytes, left_out = c.left_out + excluded.left_out`,
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

  /** Returns the number of requests that did not fit. */
  write(batch: LogBatch): Promise<number> {
    return this.database.transaction(async (transaction) => {
      batch.isSent = false;
      if (batch.counts.length > 0) await add(transaction, batch.counts.map(ofCount));
      const leftOut = batch.requests.length > 0 ? await keep(transaction, batch.requests) : 0;
      batch.isSent = true;
      return leftOut;
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

/** Nodes take turns, so that together they respect the quota. Returns the number of surplus requests. */
async function keep(transaction: Transaction, requests: KeptRequest[]): Promise<number> {
  await transaction.query(TAKE_TURNS, [LOG_LOCK]);
  const quotas = await readQuotas(transaction, requests);
  const additions = new Map<string, Addition>();
  const kept = requests.filter((request) => {
    const bytes = bytesOf(request);
    const addition = additionOf(request, additions);
    const isKept = quotaOf(request, quotas).admits(addition, bytes);
    if (isKept) addition.keptBytes += bytes;
    addition[isKept ? 'kept' : 'leftOut']++;
    return isKept;
  });
  await Promise.all([
    transaction.query(KEEP, [JSON.stringify(kept)]),
    add(transaction, [...additions.values()]),
  ]);
  return requests.length - kept.length;
}

async function readQuotas(
  transaction: Transaction,
  requests: KeptRequest[],
): Promise<Map<string, HourQuota>> {
  const hours = new Map(requests.map((request) => [hourKey(request), request]));
  const clientIds = [...hours.values()].map(({ clientId }) => clientId);
  const begins = [...hours.values()].map(({ answeredAt }) => beginOf(hourOf(answeredAt.getTime())));
  const filled = await transaction.query<UsedBytes>(USED_BYTES, [clientIds, begins]);
  const quotas = new Map<string, HourQuota>();
  for (const { clientId, hour, bytes, ...outcome } of filled)
    quotaOf({ clientId, answeredAt: hour }, quotas).take(outcome, bytes);
  return quotas;
}

type InItsHour = Pick<KeptRequest, 'clientId' | 'answeredAt'>;

function quotaOf(request: InItsHour, quotas: Map<string, HourQuota>): HourQuota {
  const key = hourKey(request);
  let quota = quotas.get(key);
  if (!quota) quotas.set(key, (quota = new HourQuota()));
  return quota;
}

function hourKey({ clientId, answeredAt }: InItsHour): string {
  return `${clientId} ${hourOf(answeredAt.getTime())}`;
}

/** One addition for all requests with the same outcome. */
function additionOf(request: KeptRequest, additions: Map<string, Addition>): Addition {
  const { method, route, status, code, clientId } = request;
  const outcome = outcomeOf(method, route, status, code);
  const key = [hourKey(request), ...Object.values(outcome)].join(' ');
  let addition = additions.get(key);
  if (!addition) {
    const hour = beginOf(hourOf(request.answeredAt.getTime()));
    additions.set(
      key,
      (addition = { clientId, hour, ...outcome, requests: 0, kept: 0, keptBytes: 0, leftOut: 0 }),
    );
  }
  return addition;
}

function ofCount({ hour, ...count }: RequestCount): Addition {
  return { ...count, hour: beginOf(hour), kept: 0, keptBytes: 0 };
}

async function add(transaction: Transaction, additions: Addition[]): Promise<void> {
  await transaction.query(ADD, [JSON.stringify(additions)]);
}
