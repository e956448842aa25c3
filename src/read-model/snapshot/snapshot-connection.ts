import { Logger } from '@nestjs/common';
import { Client, escapeLiteral, Query, type QueryConfig } from 'pg';
import { COMMAND_CONNECT_MS } from '../../platform/database/data-source-options.js';
import type { Unread } from './watermark.js';
import { CHANGE_QUERY, type ChangedRow, type ChangeHeader } from './change-query.js';

/** The maximum silence of the server, not of the whole query: loading a large catalog takes longer. */
const SILENCE_MS = 4_000;

/** Between two portions other requests are served. Node reads up to 2 MB of a socket in one turn. */
const ROWS_AT_ONCE = 250;

/** A new version for all rows of a restored database is one long statement. */
const NEW_GENERATION_MS = 600_000;

/** SQL on a connection of its own. The settings force the indexes on `changed`, with any statistics. */
const SESSION = `
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off;
  SET jit = off;
  SET lock_timeout = '1s';
  SET max_parallel_workers_per_gather = 0;`;

/** An arbitrary number, the same on all nodes. */
const NEW_GENERATION_LOCK = 7_214_004;

const RESTORED = 'restored';

/** A failover takes half a minute. A node that starts after a longer time cannot tell it from a recovery. */
const RECOVERED_AFTER = "interval '2 minutes'";

/** A second node waits for the first and then finds nothing to do. */
const newGeneration = (condition: string, recoveredAfter: string) => `
  BEGIN;
  SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(${NEW_GENERATION_LOCK});
  SELECT begin_history() FROM history_identity() WHERE ${condition};
  SELECT continue_history(${recoveredAfter});
  SELECT '${RESTORED}' FROM history WHERE restored_at = now();
  COMMIT;`;

/** It reads a file, which costs half a refresh, so each connection runs it once. A standby refuses. */
const SERVER = 'SELECT this_server()';

/** A lost update does no harm, so it does not wait for the disk or a standby. One node is enough. */
const BEAT = `
  UPDATE history SET proven_at = now() FROM set_config('synchronous_commit', 'off', true)
   WHERE proven_at < now() - interval '20 seconds' AND server = this_server()`;

type WireRow = [relation: string, stamp: string, json: string];

/** The snapshot's own connection, which orders cannot use up. A lost one is replaced at the next call. */
export class SnapshotConnection {
  private readonly logger = new Logger(SnapshotConnection.name);
  private client: Client | undefined;
  /** The server's part of the identity. */
  private server = '';

  constructor(
    private readonly url: string,
    private readonly connectMs = COMMAND_CONNECT_MS,
  ) {}

  /** Passes on every row that was not visible before, and returns the query's header. */
  async changesSince({ from, open }: Unread, take: (row: ChangedRow) => void): Promise<ChangeHeader> {
    const startedAt = Date.now();
    let header: ChangeHeader | undefined;
    await this.run(
      (server) => ({ ...CHANGE_QUERY, values: [from, server, open], rows: ROWS_AT_ONCE }),
      SILENCE_MS,
      ([relation, changeVersion, json]) => {
        const columns: unknown = JSON.parse(json);
        if (relation === 'header') header = parseHeader(columns as HeaderColumns, startedAt);
        else take({ relation, changeVersion: Number(changeVersion), columns } as ChangedRow);
      },
    );
    if (!header) throw new Error('The database has no history row.');
    return header;
  }

  beginGenerationIfForeign(isStart: boolean): Promise<void> {
    return this.beginGenerationIf('is_foreign', isStart ? RECOVERED_AFTER : 'NULL');
  }

  /** For a database that was rolled back, unless another node has begun a generation. */
  beginGenerationAfter(identity: string): Promise<void> {
    return this.beginGenerationIf(`is_foreign OR identity = ${escapeLiteral(identity)}`);
  }

  /** Stores that a node runs now. */
  async beat(): Promise<void> {
    await this.run(() => ({ text: BEAT }), SILENCE_MS);
  }

  /** Closes without a message, because a stuck server would not answer. */
  close(): void {
    if (this.client) this.drop(this.client);
  }

  /** Makes earlier change versions and sync tokens invalid. */
  private async beginGenerationIf(condition: string, recoveredAfter = 'NULL'): Promise<void> {
    let isRestored = false;
    await this.run(
      () => ({ text: newGeneration(condition, recoveredAfter) }),
      NEW_GENERATION_MS,
      ([first]) => (isRestored ||= first === RESTORED),
    );
    if (!isRestored) return;
    this.logger.warn(
      'This database is a restored backup or a copy. Invoices and notes may have been issued after the ' +
        'backup, and their numbers would be used twice. New ones wait for "invoice continue-after".',
    );
    // Every row was written anew.
    await this.run(() => ({ text: 'SELECT analyse_grown()' }), NEW_GENERATION_MS);
  }

  /** Streams rows, so that a large answer is never in memory as a whole. */
  private async run(
    query: (server: string) => QueryConfig,
    silenceMs: number,
    take: (row: WireRow) => void = () => {},
  ): Promise<void> {
    const client = (this.client ??= await this.connect());
    try {
      await stream(client, query(this.server), silenceMs, take);
    } catch (error) {
      this.drop(client);
      throw error;
    }
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'wholesale-order-api snapshot',
      connectionTimeoutMillis: this.connectMs,
      keepAlive: true,
    });
    // An idle connection that breaks is dropped here; the next refresh makes a new one.
    client.on('error', () => this.drop(client));
    try {
      await client.connect();
      await stream(client, { text: SESSION }, SILENCE_MS, () => {});
      await stream(client, { text: SERVER }, SILENCE_MS, ([server]) => (this.server = server));
      return client;
    } catch (error) {
      sever(client);
      throw error;
    }
  }

  private drop(client: Client): void {
    if (this.client === client) this.client = undefined;
    sever(client);
  }
}

function stream(
  client: Client,
  config: QueryConfig,
  silenceMs: number,
  take: (row: WireRow) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A stopped server never answers. Only closing the socket ends the wait.
    const silence = setTimeout(() => sever(client), silenceMs);
    const settle = (outcome: () => void) => {
      clearTimeout(silence);
      outcome();
    };
    const query = new Query<WireRow>({ ...config, rowMode: 'array' } as QueryConfig);
    query.on('row', (row) => {
      silence.refresh();
      try {
        take(row as unknown as WireRow);
      } catch (error) {
        settle(() => reject(error as Error));
        sever(client);
      }
    });
    query.on('end', () => settle(resolve));
    query.on('error', (error) => settle(() => reject(error)));
    client.query(query);
  });
}

function sever(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

type HeaderColumns = [string, boolean, number, number, number[], number];

function parseHeader(
  [identity, isForeign, xmin, xmax, open, databaseMs]: HeaderColumns,
  startedAt: number,
): ChangeHeader {
  // The database read its clock between the start of the query and now.
  const clockSkewMs = Math.max(0, startedAt - databaseMs) + Math.min(0, Date.now() - databaseMs);
  return { identity, isForeign, xmin, xmax, open, clockSkewMs };
}
