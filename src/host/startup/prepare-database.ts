import { migrate } from '../../platform/database/migrate.js';
import { SnapshotConnection } from '../../read-model/snapshot/snapshot-connection.js';
import type { OpenDatabase } from './open-database.js';

/** Brings the schema up to date, and begins a history of its own for a copy. Who comes later finds nothing left to do. */
export async function prepareDatabase({ url, embedded }: OpenDatabase): Promise<void> {
  await migrate(url);
  if (!embedded?.isCopy) return;
  await beginHistory(url);
  await embedded.confirmCopy();
}

async function beginHistory(url: string): Promise<void> {
  const connection = new SnapshotConnection(url);
  try {
    await connection.beginHistory();
  } finally {
    connection.close();
  }
}
