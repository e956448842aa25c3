import { randomUUID } from 'node:crypto';
import { open, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';
import { DATABASE } from './cluster.js';

const markIn = (directory: string) => path.join(directory, 'wholesale-mark');

/**
 * SQL, because no application runs yet. The database stores the content, inode and birth time of a file
 * beside it. No tool copies an inode or a birth time, so a copied or restored directory has another file. A
 * renamed directory keeps it. A copy of a whole disk is not recognised.
 */
export async function isCopy(client: Client, directory: string): Promise<boolean> {
  // The mark first: a start beside us stores both marks before it puts the new one in its place.
  const mark = await identityOf(markIn(directory));
  const remembered = await rememberedBy(client);
  return !remembered.includes(mark) && (remembered.length > 0 || mark !== NONE);
}

/**
 * Every start writes a new mark, so that an older backup does not match. Until the rename, both marks count.
 */
export async function markAsOriginal(client: Client, directory: string): Promise<void> {
  const mark = markIn(directory);
  const next = `${mark}.${process.pid}`;
  await writeFile(next, randomUUID(), { mode: 0o600, flush: true });
  const both = [await identityOf(mark), await identityOf(next)].join(' ');
  await client.query(`COMMENT ON DATABASE ${DATABASE} IS ${client.escapeLiteral(both)}`);
  await rename(next, mark);
}

const NONE = 'none';

async function identityOf(file: string): Promise<string> {
  try {
    // One open file: a start beside us may put another in its place between two looks.
    const opened = await open(file);
    try {
      const { ino, birthtimeNs } = await opened.stat({ bigint: true });
      return `${await opened.readFile('utf8')}:${ino}:${birthtimeNs}`;
    } finally {
      await opened.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw error;
  }
}

async function rememberedBy(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ marks: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS marks
       FROM pg_database WHERE datname = current_database()`,
  );
  return rows[0]?.marks?.split(' ') ?? [];
}
