import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { DomainError } from '../errors/domain-error.js';
import { ConcurrencyLimit, connectedUntil } from '../limits/concurrency-limit.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { COMMAND_CONNECT_MS, dataSourceOptions } from './data-source-options.js';
import { disconnect } from './database.js';
import { translateDatabaseError } from './database-error.js';

/**
 * Connections of one purpose at the same time, in this process. The two purposes have connections of their
 * own, because a file of an hour must not delay a form.
 */
export const MAX_DEDICATED = 4;

/** A file is imported in the background, so it may wait a day for its connection. */
const FILE_WAITS_MS = 86_400_000;

const GOODBYE_MS = 5_000;

/** A form waits for the review of its record, or a file for its turn. */
export type Purpose = 'record' | 'file';

/** A connection outside the service's pool. Temporary tables end with it. */
export class DedicatedConnection {
  constructor(
    readonly runner: QueryRunner,
    readonly client: PoolClient,
    private readonly ended: Promise<void>,
  ) {}

  async close(): Promise<void> {
    // A frozen server says no goodbye.
    const cut = setTimeout(() => disconnect(this.client), GOODBYE_MS);
    await this.runner.release();
    await this.ended;
    clearTimeout(cut);
  }
}

/**
 * Lends connections for work such as COPY, without deadlines and pipeline. They have the same database and
 * entities as the service. Their URL leads past a pooler.
 */
@Injectable()
export class DedicatedConnections implements OnApplicationShutdown {
  private readonly limits: Readonly<Record<Purpose, ConcurrencyLimit<Purpose>>> = {
    record: new ConcurrencyLimit(busy, { perKey: MAX_DEDICATED, maxWaitMs: COMMAND_CONNECT_MS }, busy),
    file: new ConcurrencyLimit(busy, { perKey: MAX_DEDICATED, maxWaitMs: FILE_WAITS_MS }, busy),
  };
  private source: Promise<DataSource> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async open(purpose: Purpose, signal?: AbortSignal): Promise<DedicatedConnection> {
    const release = await this.limits[purpose].acquire(purpose, connectedUntil(signal));
    try {
      const source = await (this.source ??= this.initialize());
      const runner = source.createQueryRunner();
      const client = (await runner.connect()) as PoolClient;
      return new DedicatedConnection(runner, client, removalOf(client, source).then(release));
    } catch (error) {
      release();
      throw translateDatabaseError(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.source)?.destroy();
  }

  /** When the first connection is needed: most processes need none. */
  private async initialize(): Promise<DataSource> {
    const url = this.settings.databaseDirectUrl!;
    const source = new DataSource({
      ...(this.dataSource.options as Extract<DataSourceOptions, { type: 'postgres' }>),
      ...dataSourceOptions({ url, poolSize: 2 * MAX_DEDICATED, maxUses: 1 }),
      applicationName: 'wholesale-order-api import',
    });
    try {
      return await source.initialize();
    } catch (error) {
      this.source = undefined;
      throw error;
    }
  }
}

/** The next request starts when the connection has ended, so there are never more connections. */
function removalOf(client: PoolClient, source: DataSource): Promise<void> {
  const pool = (source.driver as unknown as { master: Pool }).master;
  return new Promise((resolve) => {
    const onRemove = (removed: PoolClient) => {
      if (removed !== client) return;
      pool.off('remove', onRemove);
      resolve();
    };
    pool.on('remove', onRemove);
  });
}

function busy(): DomainError {
  const message = 'Many changes and files are being checked at the moment. Try again in a minute.';
  return new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
}
