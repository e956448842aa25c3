import type { INestApplicationContext } from '@nestjs/common';
import { AdminKeysService } from '../../src/modules/auth/keys/admin-keys.service.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { createApp } from '../../src/server/create-app.js';
import { SERVICE_LOG } from './service-log.js';
import { atSuiteEnd } from './suite-end.js';

/** These talk to the database. */
const LOCAL = new RegExp(
  '^(-.*|help|migrate|demo|key|login|logout|desk invite|invoice continue-after|audit forget|' +
    'wallet check|wallet remove-test-money)\\b',
);

interface Connection {
  WHOLESALE_URL: string;
  WHOLESALE_KEY: string;
}

interface Service {
  app: INestApplicationContext;
  url: string;
}

const connections = new Map<string, Promise<Connection>>();
const started: (() => Promise<void>)[] = [];
const suiteApps = new Map<string, Service>();

/** Commands on this database go to this application from now on. */
export function serveCommands(databaseUrl: string, service: Service): void {
  suiteApps.set(databaseUrl, service);
}

export function endCommands(databaseUrl: string): void {
  suiteApps.delete(databaseUrl);
  connections.clear();
}

/** Before their database is dropped. */
export async function closeCommandServices(): Promise<void> {
  connections.clear();
  await Promise.all(started.splice(0).map((close) => close()));
}

/** The service to which a command goes: that of the suite, or one that is started with the same environment. */
export async function connectionFor(
  env: Record<string, string>,
  args: readonly string[],
): Promise<Partial<Connection>> {
  const { DATABASE_URL: url, WHOLESALE_URL, ...others } = env;
  if (!url || WHOLESALE_URL || LOCAL.test(args.slice(0, 2).join(' '))) return {};
  const name = JSON.stringify(env);
  const connect = async () => {
    const ofSuite = Object.keys(others).length === 0 ? suiteApps.get(url) : undefined;
    const service = ofSuite ?? (await start(env, url));
    const keys = service.app.get(AdminKeysService, { strict: false });
    const { key } = await keys.add({ name: 'Commands', role: 'admin' }, 'test');
    return { WHOLESALE_URL: service.url, WHOLESALE_KEY: key };
  };
  if (!connections.has(name)) connections.set(name, connect());
  return connections.get(name)!.catch((error: unknown) => {
    connections.delete(name);
    throw error;
  });
}

async function start(env: Record<string, string>, databaseUrl: string): Promise<Service> {
  const settings = {
    ...readSettings(env),
    host: '127.0.0.1',
    accessLog: 'off' as const,
    databasePoolSize: 4,
    databaseTimeoutMs: 20_000,
    maxClockSkewSeconds: Infinity,
  };
  const app = await createApp(settings, databaseUrl, { logger: SERVICE_LOG });
  await app.listen(0, settings.host);
  started.push(atSuiteEnd(() => app.close()));
  return { app, url: await app.getUrl() };
}
