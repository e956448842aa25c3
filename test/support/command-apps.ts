import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { atSuiteEnd } from './suite-end.js';

/**
 * A command of a suite uses the application that an earlier command with the same environment started. A start
 * takes most of the time of a command. The suites of the installed command start it anew each time.
 */
const started = new Map<string, Promise<INestApplicationContext>>();
const environment = new AsyncLocalStorage<Record<string, string>>();
const start = NestFactory.createApplicationContext.bind(NestFactory);

NestFactory.createApplicationContext = async (...args) => {
  const env = environment.getStore();
  if (!env?.DATABASE_URL) return start(...args);
  const key = JSON.stringify(env);
  if (!started.has(key)) {
    atSuiteEnd(closeCommandApps);
    started.set(key, start(...args));
  }
  try {
    return staysOpen(await started.get(key)!);
  } catch (error) {
    started.delete(key);
    throw error;
  }
};

let running = 0;

/** Runs a command, which may use the application of an earlier one. */
export async function withSharedApp<Result>(env: Record<string, string>, work: () => Promise<Result>) {
  running++;
  try {
    return await environment.run(env, work);
  } finally {
    // Up to Node 22 it makes all promises slower.
    if (--running === 0) environment.disable();
  }
}

/** Closes the applications of the commands, before their database is dropped. */
export async function closeCommandApps(): Promise<void> {
  const apps = [...started.values()];
  started.clear();
  await Promise.all(apps.map(async (app) => (await app).close()));
}

function staysOpen(app: INestApplicationContext): INestApplicationContext {
  return new Proxy(app, {
    get: (target, name, receiver): unknown =>
      name === 'close' ? () => Promise.resolve() : Reflect.get(target, name, receiver),
  });
}
