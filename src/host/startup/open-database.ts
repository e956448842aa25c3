import { attachEmbeddedDatabase } from '../../embedded-postgres/embedded-postgres.js';
import { migrate } from '../../platform/database/migrate.js';
import type { Settings } from '../../platform/settings/settings.js';
import { SnapshotConnection } from '../../read-model/snapshot/snapshot-connection.js';
import { say } from './announce.js';
import { awaitDatabase } from './await-database.js';
import { lockService } from './service-lock.js';

export interface OpenDatabase {
  url: string;
  /** Whether it is one of our own. */
  embedded: boolean;
  close(): Promise<void>;
}

/** The database of the settings, or else one of our own, with the schema up to date. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  if (settings.databaseUrl === undefined) return openEmbedded(settings);
  await awaitDatabase(settings.databaseUrl);
  await migrate(settings.databaseUrl);
  return { url: settings.databaseUrl, embedded: false, close: () => Promise.resolve() };
}

async function openEmbedded({ dataDir }: Settings): Promise<OpenDatabase> {
  const embedded = await attachEmbeddedDatabase(dataDir, say);
  try {
    const lock = await lockService(embedded.url, dataDir);
    await migrate(embedded.url);
    if (embedded.isCopy) {
      await beginHistory(embedded.url);
      await embedded.confirmCopy();
    }
    return {
      url: embedded.url,
      embedded: true,
      close: async () => {
        await lock.release();
        await embedded.detach();
      },
    };
  } catch (error) {
    await embedded.detach();
    throw error;
  }
}

async function beginHistory(url: string): Promise<void> {
  const connection = new SnapshotConnection(url);
  try {
    await connection.beginHistory();
  } finally {
    connection.close();
  }
}
