import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { CliEnvironment } from '../terminal.js';

/** No service is known, or none answers at the address. */
export class NoServiceError extends Error {}

/** The service that commands go to, and the admin key that they send. */
export interface Connection {
  url: string;
  key: string;
}

type Environment = Pick<CliEnvironment, 'env' | 'loadEnvFile'>;

/** In DATA_DIR: the service keeps a key for the commands on its machine. */
export const COMMAND_KEY_FILE = 'command-key.json';

/** From WHOLESALE_URL and WHOLESALE_KEY, else from `wholesale login`, else the service of this machine. */
export function findConnection(environment: Environment): Connection {
  readEnvFile(environment);
  const { env } = environment;
  const { WHOLESALE_URL: url, WHOLESALE_KEY: key, DATABASE_URL, DATA_DIR } = env;
  if (url && !key)
    throw new DomainError('wrong_settings', 'WHOLESALE_URL is set, but WHOLESALE_KEY is missing.');
  if (url && key) return { url: readServiceUrl(url), key };
  const login = readConnection(loginFile(env), 'run "wholesale login <url>" again');
  if (login) return login;
  if (DATABASE_URL)
    throw new NoServiceError(
      'Commands go to a running service, and none is named. Make a key with "key add" and run "wholesale ' +
        'login <url>", or set WHOLESALE_URL and WHOLESALE_KEY.',
    );
  const dataDir = path.resolve(DATA_DIR || '.data');
  const own = readConnection(path.join(dataDir, COMMAND_KEY_FILE), 'start the service anew');
  if (own) return own;
  throw new NoServiceError(
    `No service was started with ${dataDir}. Start it in this folder with "npm start", set DATA_DIR as for ` +
      'the service, or name another one: "wholesale login <url>".',
  );
}

/** As the service reads it. An unreadable one belongs to another user, and so does the service. */
function readEnvFile(environment: Environment): void {
  try {
    if (existsSync('.env')) environment.loadEnvFile?.('.env');
  } catch {
    // The environment decides.
  }
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

function readConnection(file: string | undefined, advice: string): Connection | undefined {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Connection;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new DomainError('wrong_settings', `${file} cannot be read: ${advice}.`);
  }
}
