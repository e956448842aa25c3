import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atSuiteEnd } from './suite-end.js';

/**
 * Makes a value before the first test of this block, and fills the returned object with it. So a suite needs
 * no variable that is empty at first.
 */
export function makeBeforeAll<Value extends object>(make: () => Promise<Value>): Value {
  return fillInHook(beforeAll, make);
}

/** Makes it anew before each test. */
export function makeBeforeEach<Value extends object>(make: () => Promise<Value>): Value {
  return fillInHook(beforeEach, make);
}

function fillInHook<Value extends object>(hook: typeof beforeAll, make: () => Promise<Value>): Value {
  const value = {} as Value;
  hook(async () => {
    const made = await make();
    Object.setPrototypeOf(value, Object.getPrototypeOf(made) as object | null);
    Object.assign(value, made);
  });
  return value;
}

/** An empty directory for the files of a suite, which removes it at its end. */
export function setUpDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'wholesale-test-'));
  beforeAll(() => void atSuiteEnd(() => rm(directory, { recursive: true, force: true })));
  return directory;
}
