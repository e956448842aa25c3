import type { PoolClient } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { translateDatabaseError } from './database-error.js';

/**
 * A connection outside the pool for one long task such as COPY: no deadlines, no pipeline. Temporary tables
 * end with it.
 */
export class DedicatedConnection {
  private constructor(
    private readonly dataSource: DataSource,
    readonly runner: QueryRunner,
    readonly client: PoolClient,
  ) {}

  /** Uses the same database and entities. The URL leads past a pooler. */
  static async open({ options }: DataSource, url: string): Promise<DedicatedConnection> {
    const dataSource = new DataSource({
      ...(options as Extract<DataSourceOptions, { type: 'postgres' }>),
      ...dataSourceOptions({ url, poolSize: 1 }),
    });
    try {
      await dataSource.initialize();
      const runner = dataSource.createQueryRunner();
      return new DedicatedConnection(dataSource, runner, (await runner.connect()) as PoolClient);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async close(): Promise<void> {
    await this.runner.release();
    await this.dataSource.destroy();
  }
}
