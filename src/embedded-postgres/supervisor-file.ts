import { randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere } from './small-file.js';

/** How users of a DATA_DIR find its supervisor. Whoever creates the file is the supervisor. */
export interface SupervisorFile {
  pid: number;
  port: number;
  secret: string;
}

const fileIn = (dataDir: string) => path.join(dataDir, 'supervisor.json');

export async function readSupervisorFile(dataDir: string): Promise<SupervisorFile | undefined> {
  const text = await readIfThere(fileIn(dataDir));
  return text === undefined ? undefined : (JSON.parse(text) as SupervisorFile);
}

/** False if there is one already. The file appears complete, by `link`, which unlike `rename` replaces nothing. */
export async function claim(dataDir: string, mine: SupervisorFile): Promise<boolean> {
  const unfinished = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(mine), { mode: 0o600 });
  try {
    await link(unfinished, fileIn(dataDir));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(unfinished);
  }
}

/** Removes the file if it is that supervisor's; a newer one that came in between is put back. */
export async function removeSupervisorFile(dataDir: string, old: SupervisorFile): Promise<void> {
  if ((await readSupervisorFile(dataDir))?.secret !== old.secret) return;
  const taken = `${fileIn(dataDir)}.${randomUUID()}`;
  try {
    await rename(fileIn(dataDir), taken);
    const { secret } = JSON.parse((await readIfThere(taken)) ?? '') as SupervisorFile;
    if (secret !== old.secret) await link(taken, fileIn(dataDir));
    await rm(taken);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}
