import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DomainError } from '../errors/domain-error.js';
import { readSettings } from './read-settings.js';
import type { Settings } from './settings.js';

const FILE = '.env';

/** The settings of this process: of its environment, and what that leaves out of a file `.env` where it was started. */
export function ownSettings(tell: (line: string) => void): Settings {
  const line = loadEnvFile();
  if (line !== undefined) tell(line);
  return readSettings(process.env);
}

/** What was taken from the file, if there is one: names alone, for a value may be a password. */
function loadEnvFile(): string | undefined {
  if (!existsSync(FILE)) return undefined;
  const path = resolve(FILE);
  const given = new Set(Object.keys(process.env));
  try {
    process.loadEnvFile(FILE);
  } catch (cause) {
    const message = `The file ${path} cannot be read: ${(cause as Error).message}`;
    throw new DomainError('wrong_settings', message, { cause });
  }
  const taken = Object.keys(process.env).filter((name) => !given.has(name));
  return `Read from ${path}: ${taken.join(', ') || 'nothing that the environment does not say'}.`;
}
