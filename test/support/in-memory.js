import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

const MEMORY = '/dev/shm';

/** What the tests write down is gone in a minute: where there is plenty of memory, it need not go to a disk, which takes ten times as long. */
const PLENTY = 4 * 2 ** 30;

export async function useMemoryAsTemporaryDirectory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return;
  const { bavail, bsize } = await statfs(MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < PLENTY) return;
  process.env.TMPDIR = MEMORY;
}
