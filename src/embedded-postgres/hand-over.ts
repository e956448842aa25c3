import { lchown, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { PostgresAccount } from './postgres-account.js';

/** Gives a data directory to the account, if a restore or an earlier start as another user left it to somebody else. */
export async function handOver(directory: string, account: PostgresAccount): Promise<void> {
  if ((await lstat(directory)).uid === account.uid) return;
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(path.join(directory, entry), account.uid, account.gid);
  }
  // Last, because it is what the next start looks at, should this one be interrupted.
  await lchown(directory, account.uid, account.gid);
}
