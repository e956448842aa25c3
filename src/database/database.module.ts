import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Database } from './database.js';

@Global()
@Module({ providers: [Database], exports: [Database] })
export class DatabaseModule {
  static with(options: DataSourceOptions): DynamicModule {
    return { module: DatabaseModule, imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0 })] };
  }
}
