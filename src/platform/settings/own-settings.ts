import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DomainError } from '../errors/domain-error.js';
import { readSettings } from './read-settings.js';
import type { Settings } from './settings.js';

const FILE = '.env';

/** What a process has to do with its settings; without `loadEnvFile` no file is read. */
interface Surroundings {
  readonly env: Record<string, string | undefined>;
  loadEnvFile?(path: string): void;
}

/** The settings of a process: its environment, and for what that leaves out a file `.env` where it was started. */
export function ownSettings(process: Surroundings, tell: (line: string) => void): Settings {
  const line = loadEnvFile(process);
  if (line !== undefined) tell(line);
  return readSettings(process.env);
}

/** What was taken from the file, if there is one: names alone, for a value may be a password. */
function loadEnvFile(process: Surroundings): string | undefined {
  if (!process.loadEnvFile || !existsSync(FILE)) return undefined;
  const path = resolve(FILE);
  const given = new Set(Object.keys(process.env));
  try {
    process.loadEnvFile(FILE);
  } catch (cause) {
    const message = `The file ${path} cannot be read: ${(cause as Error).message}`;
    throw new DomainError('wrong_settings', message, { cause });
  }
  const taken = Object.keys(process.env).filter((name) => !given.has(name));
  return `Read from ${path}: ${taken.join(', ') || 'nothing that the environment leaves out'}.`;
}
