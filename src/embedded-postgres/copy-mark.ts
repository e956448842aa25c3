import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, writeAtomically } from './small-file.js';

const MARK = 'wholesale-identity';
/**
 * PG_VERSION is never written again, postmaster.opts at every start: a tool that restores a backup over the directory
 * skips files that are equal, and those of an earlier start are not.
 */
const WITNESSES = ['PG_VERSION', 'postmaster.opts'];

/**
 * Whether the data directory was copied or restored since we last started PostgreSQL in it. A copy has files with other
 * inodes and change times than noted; a directory that was only renamed has the same. Copies below the file system (of a
 * whole disk) can't be seen like this. What is taken for a copy by mistake, after a chown say, does no harm.
 */
export async function wasCopied(directory: string): Promise<boolean> {
  const mark = await readIfThere(path.join(directory, MARK));
  return mark !== (await provenanceOf(directory)) && mark !== (await whileStarting(directory));
}

/** Before PostgreSQL is started: it writes a witness anew then, and whoever is killed before that was noted has copied nothing. */
export async function markAsStarting(directory: string): Promise<void> {
  await writeAtomically(path.join(directory, MARK), await whileStarting(directory), 0o644);
}

export async function markAsOriginal(directory: string): Promise<void> {
  // In a directory that is closed to others; readable, so that a base backup as PostgreSQL's user can read it.
  await writeAtomically(path.join(directory, MARK), await provenanceOf(directory), 0o644);
}

async function whileStarting(directory: string): Promise<string> {
  return `${await witness(path.join(directory, WITNESSES[0]!))} starting`;
}

async function provenanceOf(directory: string): Promise<string> {
  const witnesses = await Promise.all(WITNESSES.map((name) => witness(path.join(directory, name))));
  return witnesses.join(' ');
}

async function witness(file: string): Promise<string> {
  try {
    const { ino, ctimeNs } = await stat(file, { bigint: true });
    return `${ino}:${ctimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}
