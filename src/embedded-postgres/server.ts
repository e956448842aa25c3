import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { dataArgument, isAlive } from './cluster.js';
import { EmbeddedDatabaseError, handOver, type PostgresAccount, run } from './run.js';

const WINDOWS = process.platform === 'win32';
const SOCKET = '.s.PGSQL.5432';
/** PostgreSQL notes the id of its process in both, and reads both before it starts. */
const NOTES = ['postmaster.pid', `${SOCKET}.lock`];
/** Linux allows 107 bytes, macOS 103. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Given at each start, so that they hold for a restored or edited directory as well: no TCP, and a socket in the data
 * directory, which PostgreSQL itself keeps closed to other users. On Windows Node reaches no such socket; there the port
 * is in postgresql.conf.
 */
const SETTINGS = {
  ...(WINDOWS
    ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
    : { listen_addresses: '', port: '5432', unix_socket_directories: '.', unix_socket_permissions: '0700' }),
  timezone: 'UTC',
  authentication_timeout: '5s',
};
const OPTIONS = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);

/** A recovery after a crash may take long. */
const START_SECONDS = 3_600;
/** A fast shutdown writes a checkpoint. After that time PostgreSQL is ended at once, which is safe too. */
const STOP_SECONDS = 60;

const MOST_LOG = 10 * 1024 * 1024;
const MOST_SHOWN = 4_096;

export interface Tools {
  binaries: Binaries;
  account: PostgresAccount | undefined;
}

export interface RunningServer {
  pid: number;
  port: number;
}

/**
 * The server that runs in this very data directory. PostgreSQL's note (src/include/utils/pidfile.h) alone proves nothing:
 * after a crash, a reboot or a copy of the directory the process id may be anybody's.
 */
export async function runningServer(directory: string): Promise<RunningServer | undefined> {
  const [pid, , , port] = (await noteOf(directory)).split('\n').map(Number);
  return pid && (await isServerIn(directory, pid)) ? { pid, port: port! } : undefined;
}

async function noteOf(directory: string, name = 'postmaster.pid'): Promise<string> {
  try {
    return await readFile(path.join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Whether it is a process of PostgreSQL, of the data's owner, that works in the directory. */
async function isServerIn(directory: string, pid: number): Promise<boolean> {
  if (WINDOWS) {
    const { output } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
    return output.includes('"postgres.exe"');
  }
  const ours = await stat(directory);
  if (process.platform !== 'linux') {
    const those = ['-a', '-p', `${pid}`, '-u', `${ours.uid}`, '-c', 'postgres', '-d', 'cwd', '-Fn'];
    return (await run('lsof', those)).output.split('\n').includes(`n${directory}`);
  }
  try {
    const its = await Promise.all([
      stat(`/proc/${pid}`),
      stat(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/comm`, 'utf8'),
    ]);
    const [{ uid }, { dev, ino }, name] = its;
    return uid === ours.uid && dev === ours.dev && ino === ours.ino && name.trim() === 'postgres';
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

/** A host for drivers, which cannot be given a longer path than a socket's. */
export interface Host {
  name: string;
  close(): void;
}

export function hostOf(directory: string): Host {
  const host = (name: string, close: () => void = () => undefined): Host => ({ name, close });
  if (WINDOWS) return host('127.0.0.1');
  if (Buffer.byteLength(path.join(directory, SOCKET)) <= LONGEST_SOCKET_PATH) return host(directory);
  if (process.platform === 'linux') {
    const descriptor = openSync(directory, 'r');
    return host(`/proc/self/fd/${descriptor}`, () => closeSync(descriptor));
  }
  // Nobody else may enter, so nobody else can lead us elsewhere.
  const place = mkdtempSync(path.join(os.tmpdir(), 'wholesale-'));
  symlinkSync(directory, path.join(place, 'link'));
  return host(path.join(place, 'link'), () => rmSync(place, { recursive: true }));
}

/** False if that has to be tried again: another process was faster, or a killed server's memory is still in use. */
export async function startServer(
  { binaries, account }: Tools,
  dataDir: string,
  directory: string,
): Promise<boolean> {
  for (const name of NOTES) await removeStrangersNote(directory, name);
  if (account) await handOver(directory, account);
  const log = path.join(dataDir, 'postgres.log');
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MOST_LOG) renameSync(log, `${log}.1`);
  const outputTo = openSync(log, 'a', 0o600);
  try {
    const logged = statSync(log).size;
    const args = ['start', '-t', `${START_SECONDS}`, '-o', OPTIONS.join(' ')];
    if ((await control(binaries, directory, args, outputTo)) === 0) return true;
    const reason = readFileSync(log).subarray(logged).subarray(-MOST_SHOWN).toString().trim();
    if (/lock file "[^"]+" already exists|shared memory block/.test(reason)) return false;
    throw new EmbeddedDatabaseError(`PostgreSQL did not start: ${reason}`);
  } finally {
    closeSync(outputTo);
  }
}

export async function stopServer({ binaries }: Tools, directory: string): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    if ((await control(binaries, directory, ['stop', '-t', `${STOP_SECONDS}`, '-m', mode])) === 0) return;
    if (!(await runningServer(directory))) return;
  }
  throw new EmbeddedDatabaseError(`PostgreSQL in ${directory} does not stop.`);
}

/** As the owner of the data, whom PostgreSQL always runs as. The server gets a session of its own, so Ctrl-C spares it. */
async function control(
  binaries: Binaries,
  directory: string,
  [mode, ...args]: string[],
  outputTo?: number,
): Promise<number> {
  const { uid, gid } = await stat(directory);
  const account = process.getuid?.() === 0 ? { name: 'the owner', uid, gid } : undefined;
  const command = [mode!, '--silent', '--wait', '-D', dataArgument(directory), ...args];
  const { code } = await run(binaries.program('pg_ctl'), command, { account, cwd: directory, outputTo });
  return code;
}

/** PostgreSQL would take the stranger for a server, and refuse to start. */
async function removeStrangersNote(directory: string, name: string): Promise<void> {
  const note = await noteOf(directory, name);
  const pid = parseInt(note, 10);
  if (!note || !isAlive(pid) || (await isServerIn(directory, pid))) return;
  const file = path.join(directory, name);
  const taken = `${file}.${process.pid}`;
  await rename(file, taken);
  // Another process may have started a server since.
  if ((await readFile(taken, 'utf8')) === note) await rm(taken);
  else await rename(taken, file);
}
