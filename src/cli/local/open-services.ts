import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { DemoModule } from '../../demo/demo.module.js';
import type { Settings } from '../../platform/settings/settings.js';

/** Connections: a command reads while it writes. */
const POOL_SIZE = 3;

/** An import may be one long transaction. */
const TIMEOUT_MS = 3_600_000;

/** The services of the product on a database, without a server. */
export function openServices(settings: Settings, databaseUrl: string): Promise<INestApplicationContext> {
  const patient = { ...settings, databasePoolSize: POOL_SIZE, databaseTimeoutMs: TIMEOUT_MS };
  const module = AppModule.with(patient, databaseUrl, DemoModule);
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}
