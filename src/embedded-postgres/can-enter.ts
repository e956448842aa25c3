import type { PostgresAccount } from './postgres-account.js';
import { run } from './run.js';

/** Whether the account gets into the directory; the kernel is asked, because modes alone don't tell (ACLs, mounts). */
export async function canEnter(directory: string, account: PostgresAccount | undefined): Promise<boolean> {
  if (!account) return true;
  return (await run('/bin/sh', ['-c', 'cd -- "$0"', directory], account)).code === 0;
}
