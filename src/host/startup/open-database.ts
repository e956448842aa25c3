import { attachEmbeddedDatabase, type EmbeddedDatabase } from '../../embedded-postgres/embedded-postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';
import { say } from './announce.js';
import { awaitDatabase } from './await-database.js';

export interface OpenDatabase {
  url: string;
  /** If it is one of our own. */
  embedded: EmbeddedDatabase | undefined;
  close(): Promise<void>;
}

/** Held for as long as a service uses an embedded database. */
const SERVICE_LOCK = 7_214_002;

/** The database of the settings, or else our own, which only one service uses. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  const database = await joinDatabase(settings, say);
  if (!database.embedded || (await database.embedded.claim(SERVICE_LOCK))) return database;
  await database.close();
  throw new DomainError(
    'already_served',
    `Another service is already running on ${settings.dataDir}. Stop it first, or set DATA_DIR (and PORT) to run a second one.`,
  );
}

/** The same for a worker: the process that started it has opened it for all of them, and tells what there is to tell. */
export async function joinDatabase(
  { databaseUrl, dataDir }: Settings,
  tell: (line: string) => void = () => undefined,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    await awaitDatabase(databaseUrl, tell);
    return { url: databaseUrl, embedded: undefined, close: () => Promise.resolve() };
  }
  const embedded = await attachEmbeddedDatabase(dataDir, tell);
  return { url: embedded.url, embedded, close: () => embedded.detach() };
}
