import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import type { Settings } from '../settings/settings.js';
import { dataSourceOptions, readMigrations } from './data-source-options.js';
import { Database } from './database.js';
import { DedicatedConnections } from './dedicated-connection.js';
import { MeteredPool } from './metered-pool.js';

/** The data source of the service. Each module adds its own entities. */
@Global()
@Module({ providers: [Database, DedicatedConnections], exports: [Database, DedicatedConnections] })
export class DatabaseModule {
  static with({ databasePoolSize, databaseTimeoutMs }: Settings, url: string): DynamicModule {
    const options = {
      ...dataSourceOptions({ url, poolSize: databasePoolSize, timeoutMs: databaseTimeoutMs }),
      driver: { ...pg, Pool: MeteredPool },
    };
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: async () => ({
            ...options,
            migrations: await readMigrations(),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
        }),
      ],
    };
  }
}
