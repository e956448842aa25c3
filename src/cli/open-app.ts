import 'reflect-metadata';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { translateDatabaseError } from '../platform/database/database-error.js';
import { AppModule } from '../app.module.js';
import { DemoModule } from '../demo/demo.module.js';
import type { Settings } from '../platform/settings/settings.js';
import { openDatabase } from './open-database.js';
import { SERVICES, type Services } from './services.js';

/** Connections: a command reads while it writes. Each command has its own process. */
const POOL_SIZE = 3;

/** An import may be one long transaction. */
const TIMEOUT_MS = 3_600_000;

export interface OpenApp {
  services: Services;
  /** Turns an error of the database into a `DomainError`. */
  translate(error: unknown): unknown;
  close(): Promise<void>;
}

/** Opens the services. Help and wrong usage do not load this file: they need no framework. */
export async function openApp(settings: Settings, mayBeNew: boolean): Promise<OpenApp> {
  const database = await openDatabase(settings, mayBeNew);
  try {
    const app = await createCliApp(settings, database.url);
    return {
      services: { ...servicesOf(app), currency: settings.currency, timeZone: settings.timeZone },
      translate: translateDatabaseError,
      close: async () => {
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function createCliApp(settings: Settings, databaseUrl: string): Promise<INestApplicationContext> {
  const patient = { ...settings, databasePoolSize: POOL_SIZE, databaseTimeoutMs: TIMEOUT_MS };
  const module = AppModule.with(patient, databaseUrl, DemoModule);
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}

function servicesOf(app: INestApplicationContext): Omit<Services, 'currency' | 'timeZone'> {
  const entries = Object.entries<Type>(SERVICES).map(([name, type]) => [name, app.get<unknown>(type)]);
  return Object.fromEntries(entries) as Services;
}
