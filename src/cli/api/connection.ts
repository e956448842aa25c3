import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { CliEnvironment } from '../terminal.js';

/** The service that commands go to, and the admin key that they send. */
export interface Connection {
  url: string;
  key: string;
}

type Environment = Pick<CliEnvironment, 'env'>;

/** From WHOLESALE_URL and WHOLESALE_KEY, else from `wholesale login`. */
export function findConnection({ env }: Environment): Connection | undefined {
  const { WHOLESALE_URL: url, WHOLESALE_KEY: key } = env;
  if (!url) return readLogin(loginFile(env));
  if (!key) throw new DomainError('wrong_settings', 'WHOLESALE_URL is set, but WHOLESALE_KEY is missing.');
  return { url: readServiceUrl(url), key };
}

export function readServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new DomainError('wrong_settings', `"${text}" is no address such as https://orders.example.com.`);
  return url.origin + url.pathname.replace(/\/$/, '');
}

/** Returns the path of the file. */
export function saveLogin({ env }: Environment, connection: Connection): string {
  const file = loginFile(env);
  if (file === undefined)
    throw new DomainError('wrong_settings', 'HOME is not set: set WHOLESALE_URL and WHOLESALE_KEY instead.');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // An older file may be readable for others.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
  return file;
}

export function removeLogin({ env }: Environment): void {
  const file = loginFile(env);
  if (file !== undefined) rmSync(file, { force: true });
}

function loginFile({ XDG_CONFIG_HOME: config, HOME }: CliEnvironment['env']): string | undefined {
  const folder = config || (HOME && path.join(HOME, '.config'));
  return folder && path.join(folder, 'wholesale', 'login.json');
}

function readLogin(file: string | undefined): Connection | undefined {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Connection;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new DomainError('wrong_settings', `${file} cannot be read: run "wholesale login <url>" again.`);
  }
}
