import { openSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dataArgument } from './cluster.js';
import { EmbeddedDatabaseError, type ProgramResult, type Programs, run } from './programs.js';

const SOCKET = '.s.PGSQL.5432';
/** PostgreSQL writes its process id into both files, and reads both before it starts. */
const PID_FILES = ['postmaster.pid', `${SOCKET}.lock`];
/** Linux allows 107 bytes, macOS 103. */
const MAX_SOCKET_PATH = 103;

/**
 * No TCP port. The socket lies in the data directory, which PostgreSQL keeps closed to other users. Every
 * start passes these settings, so they also hold for a directory that was restored or edited.
 */
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  authentication_timeout: '5s',
};
const OPTIONS = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);

/** A recovery after a crash can take long. */
const START_SECONDS = 3_600;
/** A fast shutdown writes a checkpoint. An immediate one, after this time, is also safe. */
const STOP_SECONDS = 60;

/** In the data directory, because the account of PostgreSQL may have no rights elsewhere. */
const LOG = 'postgres.log';
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const MAX_REASON_BYTES = 4_096;

/** PostgreSQL says `lock file "postmaster.pid" already exists`, or names the shared memory. */
const ANOTHER_RUNS = ['" already exists', 'shared memory block'];

/**
 * The process id of the server that runs in this data directory. The file postmaster.pid alone proves
 * nothing: after a crash, a reboot or a copy of the directory, another program can have the process id.
 */
export async function runningServer(directory: string): Promise<number | undefined> {
  const pid = parseInt(await readPidFile(directory), 10);
  return pid && (await isServerIn(directory, pid)) ? pid : undefined;
}

async function readPidFile(directory: string, name = 'postmaster.pid'): Promise<string> {
  try {
    return await readFile(path.join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Whether the process is named postgres, belongs to the owner of the data, and works in the directory. */
async function isServerIn(directory: string, pid: number): Promise<boolean> {
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
    // The process has ended, or belongs to another user.
    return false;
  }
}

/**
 * The directory of the socket, as drivers take it. The operating system limits the path of a socket. On Linux
 * a directory that this process holds open has a short one.
 */
export function socketDirectory(directory: string): string {
  if (Buffer.byteLength(path.join(directory, SOCKET)) <= MAX_SOCKET_PATH) return directory;
  if (process.platform !== 'linux')
    throw new EmbeddedDatabaseError(`The path ${directory} is too long. Set DATA_DIR to a shorter one.`);
  return `/proc/self/fd/${openSync(directory, 'r')}`;
}

/**
 * Returns false if the caller must retry: another process was faster, or a killed server still holds its
 * memory.
 */
export async function startServer({ bin, account }: Programs, directory: string): Promise<boolean> {
  for (const name of PID_FILES) await removeStalePidFile(directory, name);
  // After a restore, or a start as another user, files can belong to another user.
  if (account) await run('chown', ['-Rh', `${account.uid}:${account.gid}`, directory]);
  const log = path.join(directory, LOG);
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size > MAX_LOG_BYTES) await rename(log, `${log}.1`);
  const args = ['start', '-t', `${START_SECONDS}`, '-l', LOG, '-o', OPTIONS.join(' ')];
  const { code, output } = await control(bin, directory, args);
  if (code === 0) return true;
  const logged = await readFile(log).catch(() => Buffer.from(output));
  const reason = logged
    .subarray(size > MAX_LOG_BYTES ? 0 : size)
    .subarray(-MAX_REASON_BYTES)
    .toString()
    .trim();
  if (ANOTHER_RUNS.some((words) => reason.includes(words))) return false;
  throw new EmbeddedDatabaseError(`PostgreSQL did not start: ${reason || output}`);
}

export async function stopServer({ bin }: Programs, directory: string): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const { code } = await control(bin, directory, ['stop', '-t', `${STOP_SECONDS}`, '-m', mode]);
    if (code === 0 || !(await runningServer(directory))) return;
  }
  throw new EmbeddedDatabaseError(`PostgreSQL in ${directory} does not stop.`);
}

/**
 * Runs pg_ctl as the owner of the data. The server gets a session of its own, so Ctrl-C does not reach it.
 */
async function control(bin: string, directory: string, [mode, ...args]: string[]): Promise<ProgramResult> {
  const { uid, gid } = await stat(directory);
  const account = process.getuid?.() === 0 ? { uid, gid } : undefined;
  const command = [mode!, '--silent', '--wait', '-D', dataArgument(directory), ...args];
  return run(path.join(bin, 'pg_ctl'), command, { account, cwd: directory });
}

/** PostgreSQL would take the other program for a server, and refuse to start. */
async function removeStalePidFile(directory: string, name: string): Promise<void> {
  const content = await readPidFile(directory, name);
  const pid = parseInt(content, 10);
  if (!content || !isAlive(pid) || (await isServerIn(directory, pid))) return;
  const file = path.join(directory, name);
  const taken = `${file}.${process.pid}`;
  await rename(file, taken);
  // Another process may have started a server since.
  if ((await readFile(taken, 'utf8')) === content) await rm(taken);
  else await rename(taken, file);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
