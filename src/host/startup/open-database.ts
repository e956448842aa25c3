import { attachEmbeddedDatabase, type EmbeddedDatabase } from '../../embedded-postgres/embedded-postgres.js';
import type { Settings } from '../../platform/settings/settings.js';
import { say } from './announce.js';
import { awaitDatabase } from './await-database.js';
import { lockService } from './service-lock.js';

export interface OpenDatabase {
  url: string;
  /** If it is one of our own. */
  embedded: EmbeddedDatabase | undefined;
  close(): Promise<void>;
}

/** The database of the settings, or else one of our own, which no other service has then. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  const { dataDir } = settings;
  const database = await joinDatabase(settings, say);
  if (!database.embedded) return database;
  try {
    const lock = await lockService(database.url, dataDir);
    return {
      ...database,
      close: async () => {
        await lock.release();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
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
