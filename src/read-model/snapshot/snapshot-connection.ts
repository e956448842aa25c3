import { Client, Query, type QueryConfig } from 'pg';
import { CHANGE_QUERY, type ChangedRow, type ChangeHeader } from './change-query.js';

const CONNECT_TIMEOUT_MS = 2_000;

/** How long the server may keep silent, not how long it may take: loading a large catalog takes longer. */
const SILENCE_MS = 4_000;

/** Stamping every row of a restored database anew is one long statement. */
const NEW_HISTORY_MS = 600_000;

/** The plan is always the one with the indexes on `changed`, whatever the tables looked like when it was made. */
const SESSION = `
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off;
  SET jit = off;
  SET max_parallel_workers_per_gather = 0;`;

/** Any number will do, as long as every node of the service asks for the same one. */
const NEW_HISTORY_LOCK = 7_214_004;

/** A second node that saw the same restored dump waits for the first, and then finds nothing left to do. */
const NEW_HISTORY_IF_FOREIGN = `
  BEGIN;
  SELECT pg_advisory_xact_lock(${NEW_HISTORY_LOCK});
  SELECT begin_history() FROM history_identity() WHERE is_foreign;
  COMMIT;`;

/**
 * What of the history's identity belongs to the server. It reads files to tell, for half of what a refresh costs; but it
 * cannot change under a connection, so it is asked once for each.
 */
const SERVER = `
  SELECT concat_ws('/', system_identifier, timeline_id) FROM pg_control_system(), pg_control_checkpoint()`;

type WireRow = [relation: string, stamp: string, json: string];

/** A connection of the snapshot's own, which orders cannot use up. A lost one is replaced at the next call. */
export class SnapshotConnection {
  private client: Client | undefined;
  /** Of the server that the client is connected to. */
  private server = '';

  constructor(private readonly url: string) {}

  /** Hands over every row that is stamped at the horizon or later, and tells which view of the database that was. */
  async changesSince(horizon: number, take: (row: ChangedRow) => void): Promise<ChangeHeader> {
    let header: ChangeHeader | undefined;
    await this.run(
      (server) => ({ ...CHANGE_QUERY, values: [horizon, server] }),
      SILENCE_MS,
      ([relation, stamp, json]) => {
        const columns: unknown = JSON.parse(json);
        if (relation === 'header') header = parseHeader(columns as [string, boolean, number, number]);
        else take({ relation, stamp: Number(stamp), columns } as ChangedRow);
      },
    );
    if (!header) throw new Error('The database has no history row.');
    return header;
  }

  async beginHistoryIfForeign(): Promise<void> {
    await this.run(() => ({ text: NEW_HISTORY_IF_FOREIGN }), NEW_HISTORY_MS);
  }

  /** Makes stamps and sync tokens of before incomparable with those to come: for data that was taken back to an earlier state. */
  async beginHistory(): Promise<void> {
    await this.run(() => ({ text: 'SELECT begin_history()' }), NEW_HISTORY_MS);
  }

  /** Without a word to the server: one that is stuck would not answer it. */
  close(): void {
    if (this.client) this.drop(this.client);
  }

  /** Streams the rows, so that a large answer is never held as a whole. */
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
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    // A connection that breaks while it is idle is noticed here, and by nobody else: the next refresh makes a new one.
    client.on('error', () => this.drop(client));
    await client.connect();
    await stream(client, { text: SESSION }, SILENCE_MS, () => {});
    await stream(client, { text: SERVER }, SILENCE_MS, ([server]) => (this.server = server));
    return client;
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
    // A server that is stopped, not dead, would never answer. Only a closed socket ends the wait.
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

function parseHeader([identity, isForeign, xmin, xmax]: [string, boolean, number, number]): ChangeHeader {
  return { identity, isForeign, xmin, xmax };
}
