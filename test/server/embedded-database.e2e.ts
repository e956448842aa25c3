import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import {
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { SUPERUSER } from '../../src/server/embedded-postgres/cluster.js';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { type DatabaseFacts, DatabaseUser } from '../support/database-user.js';
import { eventually } from '../support/eventually.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';

let room: string;
/** A DATA_DIR that has been used and stopped, and the last value that was committed in it. */
let used: string;
let committed: number;
let firstStart: { facts: DatabaseFacts; database: unknown[]; modes: number[] };
let names = 0;

const PRIVATE_FILES = [
  'postgres',
  'postgres/wholesale-password',
  'postgres/.s.PGSQL.5432',
  'postgres/postgres.log',
];

/** A DATA_DIR that does not exist yet. */
const unused = () => path.join(room, `data-${++names}`);

beforeAll(async () => {
  room = await makeOpenDirectory('embedded-');
  used = unused();
  const user = await DatabaseUser.start(used);
  const { url } = user.attached;
  firstStart = {
    facts: user.attached,
    database: await query(url, 'SELECT current_database()'),
    modes: await Promise.all(
      PRIVATE_FILES.map(async (file) => (await stat(path.join(used, file))).mode & 0o777),
    ),
  };
  committed = await commitSomething(url);
  await user.detach();
});

afterEach(() => DatabaseUser.detachAll());

afterAll(() => rm(room, { recursive: true, force: true }));

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function commitSomething(url: string): Promise<number> {
  await query(url, 'CREATE TABLE IF NOT EXISTS kept AS SELECT 41 AS answer');
  const [answer] = await query(url, 'UPDATE kept SET answer = answer + 1 RETURNING answer');
  return Number(answer);
}

const whatWasCommitted = (url: string) => query(url, 'SELECT answer FROM kept');

const isRunning = async ({ directory }: DatabaseFacts) => (await runningServer(directory)) !== undefined;
const kill = (pid: number | undefined) => process.kill(Number(pid), 'SIGKILL');

async function startAndStop(dataDir: string): Promise<DatabaseFacts> {
  const user = await DatabaseUser.start(dataDir);
  await user.detach();
  return user.attached;
}

function copyOf(dataDir: string): string {
  const copy = unused();
  // Takes a seventh of the time of the asynchronous one.
  cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

describe('the first start', () => {
  it('creates the database, and keeps its password and its socket from other users', () => {
    expect(firstStart).toMatchObject({
      facts: { log: [expect.stringMatching(/^Creating a PostgreSQL database/)] },
      database: ['wholesale'],
      modes: [0o700, 0o600, 0o700, 0o600],
    });
  });

  it('makes a role for the service that owns its database, and is no superuser', async () => {
    const { url } = (await DatabaseUser.start(used)).attached;
    expect(
      await query(
        url,
        `SELECT rolsuper, rolcreaterole, rolcreatedb, pg_has_role(datdba, 'usage')
           FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      ),
    ).toEqual([false, false, false, true]);
    for (const statement of [`COPY kept TO PROGRAM 'cat'`, `SELECT pg_read_file('postgresql.conf')`])
      await expect(query(url, statement)).rejects.toMatchObject({ code: '42501' });
    const administrator = Object.assign(new URL(url), { username: SUPERUSER }).href;
    expect(await query(administrator, 'SHOW is_superuser')).toEqual(['on']);
  });

  it('removes the remains of an earlier one that was killed in the middle', async () => {
    const dataDir = unused();
    const unfinished = async () => (await readdir(dataDir)).filter((name) => name.includes('.creating-'));
    await mkdir(path.join(dataDir, 'postgres.creating-Ab12Cd', 'data'), { recursive: true });
    await DatabaseUser.start(dataDir);
    expect(await unfinished()).toEqual([]);
  });

  it('says what is wrong when the directory cannot be used', async () => {
    const file = unused();
    await writeFile(file, 'not a directory');
    await expect(DatabaseUser.start(file)).rejects.toThrow(/DATA_DIR .* cannot be used/);
    const other = unused();
    await mkdir(path.join(other, 'postgres'), { recursive: true });
    await writeFile(path.join(other, 'postgres', 'letters'), 'of another program');
    await expect(DatabaseUser.start(other)).rejects.toThrow(/is not a database of this service/);
    expect(await readdir(other)).toEqual(['postgres']);
  });

  it('says why PostgreSQL does not start', async () => {
    const copy = copyOf(used);
    await writeFile(path.join(copy, 'postgres', 'PG_VERSION'), '11\n');
    await expect(DatabaseUser.start(copy)).rejects.toThrow(
      /did not start: .*initialized by PostgreSQL version 11/s,
    );
  });
});

it('a log of PostgreSQL that has grown beyond 10 MB is put aside by the next start', async () => {
  const copy = copyOf(used);
  const log = path.join(copy, 'postgres', 'postgres.log');
  const limit = 10 * 1024 * 1024;
  await truncate(log, limit);
  await startAndStop(copy);
  await expect(stat(`${log}.1`)).rejects.toMatchObject({ code: 'ENOENT' });
  await truncate(log, limit + 1);
  await startAndStop(copy);
  expect((await stat(`${log}.1`)).size).toBe(limit + 1);
  expect((await stat(log)).size).toBeLessThan(limit);
});

describe('the password', () => {
  it('is required', async () => {
    const { attached } = await DatabaseUser.start(used);
    const url = Object.assign(new URL(attached.url), { password: 'guessed' }).href;
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('is not replaced when its file is lost, and works again when that is restored', async () => {
    const file = path.join(used, 'postgres', 'wholesale-password');
    await rename(file, `${file}.away`);
    await expect(DatabaseUser.start(used)).rejects.toThrow(/wholesale-password cannot be read/);
    await rename(`${file}.away`, file);
    expect(await whatWasCommitted((await DatabaseUser.start(used)).attached.url)).toEqual([committed]);
  });

  it('that is wrong makes the start fail, and leaves no PostgreSQL running', async () => {
    const copy = copyOf(used);
    const directory = path.join(copy, 'postgres');
    await writeFile(path.join(directory, 'wholesale-password'), 'guessed');
    await expect(DatabaseUser.start(copy)).rejects.toThrow(/cannot be used: password authentication failed/);
    expect(await runningServer(directory)).toBeUndefined();
  });
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('other users of the machine', () => {
  /** The sockets of the process that listen, as the kernel tells. */
  async function tcpListeners(pid: number): Promise<string[]> {
    const links = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(links.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
    return tables
      .flatMap((table) => table.trim().split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && targets.includes(`socket:[${inode}]`))
      .map(([, address]) => address!);
  }

  it('find no TCP port', async () => {
    const { serverPid, url } = (await DatabaseUser.start(used)).attached;
    expect(await query(url, 'SHOW listen_addresses')).toEqual(['']);
    expect(await tcpListeners(serverPid!)).toEqual([]);
    const probe = createServer();
    await once(probe.listen(0, '127.0.0.1'), 'listening');
    expect(await tcpListeners(process.pid)).toHaveLength(1);
    probe.close();
  });

  (process.getuid?.() === 0 ? it : it.skip)('cannot reach the socket', async () => {
    const { directory } = (await DatabaseUser.start(used)).attached;
    const script =
      `require('net').connect('${directory}/.s.PGSQL.5432')` +
      `.on('error', (e) => console.log(e.code)).on('connect', () => process.exit(9))`;
    const asAnother = { cwd: '/', uid: 65_534, gid: 65_534 };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], asAnother);
    expect(stdout).toBe('EACCES\n');
  });

  it('are not taken for the server that stale notes name', async () => {
    const copy = copyOf(used);
    const directory = path.join(copy, 'postgres');
    // A living process of PostgreSQL's own user, in PostgreSQL's directory. Root's copy belongs to root.
    const { uid, gid } = await stat(path.join(used, 'postgres'));
    await chown(directory, uid, gid);
    const outsider = spawn('sleep', ['600'], { cwd: directory, uid, gid });
    const killStranger = atSuiteEnd(() => outsider.kill());
    const note = [outsider.pid, directory, 1, 5_432, '.', '', '  1 1', 'ready   ', ''].join('\n');
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock'])
      await writeFile(path.join(directory, name), note);
    const user = await DatabaseUser.start(copy);
    expect(await whatWasCommitted(user.attached.url)).toEqual([committed]);
    await user.detach();
    expect([outsider.exitCode, outsider.signalCode]).toEqual([null, null]);
    await killStranger();
  });
});

describe('several users', () => {
  it('share one PostgreSQL, which ends with the last of them', async () => {
    const first = await DatabaseUser.start(used);
    const second = await DatabaseUser.start(used);
    expect(second.attached).toMatchObject({ log: [], serverPid: first.attached.serverPid });
    await first.detach();
    expect(await query(second.attached.url, 'SELECT 1')).toEqual([1]);
    await second.detach();
    expect(await isRunning(first.attached)).toBe(false);
  });

  it('may all be the first at once, and the last', async () => {
    const dataDir = unused();
    for (let time = 0; time < 3; time++) {
      const users = await Promise.all([1, 2, 3].map(() => DatabaseUser.start(dataDir)));
      expect(new Set(users.map((user) => user.attached.serverPid)).size).toBe(1);
      await Promise.all(users.map((user) => user.detach()));
      expect(await isRunning(users[0]!.attached)).toBe(false);
    }
  });

  it('can come while the last one is leaving', async () => {
    for (let time = 0; time < 3; time++) {
      const first = await DatabaseUser.start(used);
      const [, second] = await Promise.all([first.detach(), DatabaseUser.start(used)]);
      expect(await whatWasCommitted(second.attached.url)).toEqual([committed]);
      await second.detach();
      expect(await isRunning(second.attached)).toBe(false);
    }
  });

  it('are one service at most, also after PostgreSQL was killed', async () => {
    const refused = () => expect(DatabaseUser.start(used, 'service')).rejects.toThrow(/Another service is/);
    const service = await DatabaseUser.start(used, 'service');
    await DatabaseUser.start(used);
    await refused();
    kill(service.attached.serverPid);
    await eventually(() => whatWasCommitted(service.attached.url));
    const locks = `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND objid = 7214002`;
    await eventually(async () => (await query(service.attached.url, locks))[0] === 1);
    await refused();
    expect(await whatWasCommitted(service.attached.url)).toEqual([committed]);
  });
});

describe('after a signal', () => {
  let user: DatabaseUser;

  beforeEach(async () => {
    user = await DatabaseUser.start(used);
    committed = await commitSomething(user.attached.url);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s to its only user, PostgreSQL is down',
    async (signal) => {
      expect(await user.kill(signal)).toBe(signal);
      expect(await isRunning(user.attached)).toBe(false);
    },
  );

  it('SIGKILL to its only user, the next one goes on with the same PostgreSQL, and stops it', async () => {
    await user.kill();
    expect(await isRunning(user.attached)).toBe(true);
    const next = await DatabaseUser.start(used);
    expect(next.attached).toMatchObject({ url: user.attached.url, serverPid: user.attached.serverPid });
    expect(await whatWasCommitted(next.attached.url)).toEqual([committed]);
    await next.detach();
    expect(await isRunning(next.attached)).toBe(false);
  });

  it('SIGKILL to PostgreSQL, it comes back at the same address, and ends with the last user', async () => {
    const another = await DatabaseUser.start(used);
    for (let time = 0; time < 3; time++) {
      const { serverPid } = await user.facts();
      kill(serverPid);
      expect(await eventually(() => whatWasCommitted(user.attached.url))).toEqual([committed]);
      expect((await user.facts()).serverPid).not.toBe(serverPid);
    }
    // The other process has come back to the server as well.
    const present = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE '% presence'`;
    await eventually(async () => (await query(user.attached.url, present))[0] === 2);
    await user.detach();
    expect(await isRunning(another.attached)).toBe(true);
    await another.detach();
    expect(await isRunning(another.attached)).toBe(false);
  });

  it('SIGKILL to everything at once, the next start finds what was committed', async () => {
    kill(user.attached.serverPid);
    await user.kill();
    const { attached } = await DatabaseUser.start(used);
    expect(await whatWasCommitted(attached.url)).toEqual([committed]);
  });
});

it('a copy leaves the running original alone, whose notes it brought along', async () => {
  const copy = copyOf(used);
  const original = await DatabaseUser.start(used);
  const { serverPid, url } = original.attached;
  const note = 'postgres/postmaster.pid';
  await copyFile(path.join(used, note), path.join(copy, note));
  const { attached } = await DatabaseUser.start(copy);
  expect(attached.serverPid).not.toBe(serverPid);
  expect(await original.facts()).toMatchObject({ serverPid, url });
});

const LONG = 'a-directory-with-a-long-name/'.repeat(5);

describe.each([
  ['whose path is longer than a socket’s may be', 0o755, `${LONG}data`],
  ['whose name a shell would take apart', 0o755, `with "quotes" & $(sleep 9) 'blanks'`],
  ['that only root may enter', 0o700, 'data'],
])('in a directory %s', (_, mode, name) => {
  it('everything is the same', async () => {
    const outer = unused();
    await mkdir(outer, { mode });
    const dataDir = path.join(outer, name);
    await mkdir(dataDir, { recursive: true });
    const first = await DatabaseUser.start(dataDir);
    const second = await DatabaseUser.start(dataDir);
    expect(first.attached).toMatchObject({ directory: path.join(dataDir, 'postgres') });
    await first.detach();
    expect(await isRunning(second.attached)).toBe(true);
    await second.detach();
    expect(await isRunning(second.attached)).toBe(false);
    await startAndStop(dataDir);
  });
});
