import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { isPostmasterOf } from '../src/database/embedded/postmaster.js';
import { type DatabaseFacts, DatabaseUser } from './support/database-user.js';
import { eventually } from './support/eventually.js';

const asRootOnly = process.getuid?.() === 0 ? describe : describe.skip;

let room: string;
let dataDir: string;
const copyDir = () => path.join(room, 'copy');
const copy = () => cp(dataDir, copyDir(), { recursive: true, preserveTimestamps: true });

beforeEach(async () => {
  room = await mkdtemp(path.join(await realpath(os.tmpdir()), 'embedded-'));
  // Not closed to PostgreSQL's user, should these tests run as root.
  await chmod(room, 0o755);
  dataDir = path.join(room, 'data');
});

afterEach(async () => {
  await DatabaseUser.detachAll();
  await rm(room, { recursive: true, force: true });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const commitSomething = (url: string) => query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
const whatWasCommitted = (url: string) => query(url, 'SELECT answer FROM kept');

const isRunning = ({ postgresPid, directory }: DatabaseFacts) =>
  isPostmasterOf(Number(postgresPid), directory);
const ended = (facts: DatabaseFacts) => eventually(async () => !(await isRunning(facts)));
const kill = (pid: number | undefined) => process.kill(Number(pid), 'SIGKILL');

async function startAndStop(directory = dataDir): Promise<DatabaseFacts> {
  const user = await DatabaseUser.start(directory);
  await user.detach();
  return user.attached;
}

describe('the first start', () => {
  it('creates the database, and keeps its password and the supervisor’s secret from other users', async () => {
    const user = await DatabaseUser.start(dataDir);
    expect(user.attached).toMatchObject({ created: true, isCopy: false });
    expect(await query(user.attached.url, 'SELECT current_database()')).toEqual(['wholesale']);
    for (const file of ['postgres-password', 'supervisor.json', 'postgres.log']) {
      expect((await stat(path.join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('lets nobody in without the password', async () => {
    const { attached } = await DatabaseUser.start(dataDir);
    const url = Object.assign(new URL(attached.url), { password: 'guessed' }).href;
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('begins anew when an earlier one was killed in the middle', async () => {
    const killed = DatabaseUser.start(dataDir).catch(() => undefined);
    await eventually(async () => (await readdir(dataDir)).some((name) => name.includes('.creating-')));
    kill(JSON.parse(await readFile(path.join(dataDir, 'supervisor.json'), 'utf8')).pid);
    const next = await DatabaseUser.start(dataDir);
    await killed;
    expect(await query(next.attached.url, 'SELECT 1')).toEqual([1]);
    expect((await readdir(dataDir)).filter((name) => name.includes('.creating-'))).toEqual([]);
  });

  it('says what is wrong when the directory cannot be used', async () => {
    await writeFile(dataDir, 'a file');
    await expect(DatabaseUser.start(dataDir)).rejects.toThrow(/DATA_DIR .* cannot be used/);
  });

  it('refuses a database whose password is lost, and works when it is restored', async () => {
    await startAndStop();
    const password = path.join(dataDir, 'postgres-password');
    await rename(password, `${password}.away`);
    await expect(DatabaseUser.start(dataDir)).rejects.toThrow(/postgres-password is missing/);
    await rename(`${password}.away`, password);
    expect(await query((await DatabaseUser.start(dataDir)).attached.url, 'SELECT 1')).toEqual([1]);
  });
});

describe('several users', () => {
  it('share one PostgreSQL, which ends with the last of them', async () => {
    const first = await DatabaseUser.start(dataDir);
    const second = await DatabaseUser.start(dataDir);
    expect(second.attached).toMatchObject({ created: false, postgresPid: first.attached.postgresPid });
    await first.detach();
    expect(await query(second.attached.url, 'SELECT 1')).toEqual([1]);
    await second.detach();
    expect(await isRunning(first.attached)).toBe(false);
    expect(await readdir(dataDir)).not.toContain('supervisor.json');
  });

  it('may all be the first at once', async () => {
    const users = await Promise.all([1, 2, 3].map(() => DatabaseUser.start(dataDir)));
    expect(users.filter((user) => user.attached.created)).toHaveLength(1);
    expect(new Set(users.map((user) => user.attached.postgresPid)).size).toBe(1);
  });

  it('can come while the last one is leaving', async () => {
    const first = await DatabaseUser.start(dataDir);
    await commitSomething(first.attached.url);
    const [, second] = await Promise.all([first.detach(), DatabaseUser.start(dataDir)]);
    expect(await whatWasCommitted(second.attached.url)).toEqual([42]);
  });
});

describe('after kill -9', () => {
  let user: DatabaseUser;

  beforeEach(async () => {
    user = await DatabaseUser.start(dataDir);
    await commitSomething(user.attached.url);
  });

  it('of its user, PostgreSQL stops, and the next start finds what was committed', async () => {
    await user.kill();
    await ended(user.attached);
    const { attached } = await DatabaseUser.start(dataDir);
    expect(attached).toMatchObject({ created: false, isCopy: false, url: user.attached.url });
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });

  it('of PostgreSQL, it comes back by itself at the same address', async () => {
    kill(user.attached.postgresPid);
    expect(await eventually(() => whatWasCommitted(user.attached.url))).toEqual([42]);
    expect((await user.facts()).postgresPid).not.toBe(user.attached.postgresPid);
  });

  it('of the supervisor, its user gets another one', async () => {
    kill(user.attached.supervisorPid);
    await eventually(async () => (await user.facts()).supervisorPid !== user.attached.supervisorPid);
    expect(await eventually(() => whatWasCommitted(user.attached.url))).toEqual([42]);
    await user.detach();
    await ended(user.attached);
  });

  it('of user and supervisor, the next start stops the PostgreSQL that was left', async () => {
    await user.kill();
    kill(user.attached.supervisorPid);
    expect(await isRunning(user.attached)).toBe(true);
    const { attached } = await DatabaseUser.start(dataDir);
    expect(await isRunning(user.attached)).toBe(false);
    expect(attached).toMatchObject({ isCopy: false, url: user.attached.url });
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });

  it('of everything at once, the next start finds what was committed', async () => {
    kill(user.attached.supervisorPid);
    kill(user.attached.postgresPid);
    await user.kill();
    const { attached } = await DatabaseUser.start(dataDir);
    expect(attached.isCopy).toBe(false);
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });
});

describe('a copy of the data', () => {
  it('is told from the original until that is confirmed', async () => {
    await startAndStop();
    await copy();
    expect(await startAndStop(copyDir())).toMatchObject({ created: false, isCopy: true });
    const user = await DatabaseUser.start(copyDir());
    expect(user.attached.isCopy).toBe(true);
    expect(await user.confirmCopy()).toMatchObject({ isCopy: false });
    await user.detach();
    expect(await startAndStop(copyDir())).toMatchObject({ isCopy: false });
    expect(await startAndStop()).toMatchObject({ isCopy: false });
  });

  it('is noticed too when it was restored into the place of the original', async () => {
    await startAndStop();
    await copy();
    await rm(dataDir, { recursive: true });
    await rename(copyDir(), dataDir);
    expect(await startAndStop()).toMatchObject({ isCopy: true });
  });

  it('is not what a renamed directory is', async () => {
    await startAndStop();
    await rename(dataDir, path.join(room, 'renamed'));
    expect(await startAndStop(path.join(room, 'renamed'))).toMatchObject({ created: false, isCopy: false });
  });

  it('leaves the running original alone, whose process ids and secret it brought along', async () => {
    await startAndStop();
    await copy();
    const original = await DatabaseUser.start(dataDir);
    for (const note of ['supervisor.json', 'postgres-port', 'postgres/postmaster.pid']) {
      await cp(path.join(dataDir, note), path.join(copyDir(), note));
    }
    const { attached } = await DatabaseUser.start(copyDir());
    expect(attached.isCopy).toBe(true);
    expect(attached.url).not.toBe(original.attached.url);
    expect(await original.facts()).toMatchObject({
      postgresPid: original.attached.postgresPid,
      log: original.attached.log,
    });
  });
});

asRootOnly('as root, in a directory that only root may enter', () => {
  let closed: string;
  let home: string;

  beforeEach(async () => {
    closed = path.join(room, 'closed');
    await mkdir(closed, { mode: 0o700 });
    dataDir = path.join(closed, 'data');
    const user = await DatabaseUser.start(dataDir);
    home = path.dirname(user.attached.directory);
    await commitSomething(user.attached.url);
    await user.detach();
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  it('the data is where PostgreSQL may enter, and a note in the directory says where', async () => {
    const { attached } = await DatabaseUser.start(dataDir);
    expect(attached.directory.startsWith(room)).toBe(false);
    expect(attached.log.join()).toContain(attached.directory);
    expect((await readFile(path.join(dataDir, 'postgres-location'), 'utf8')).trim()).toBe(home);
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });

  it('a renamed directory keeps its data', async () => {
    const renamed = path.join(closed, 'renamed');
    await rename(dataDir, renamed);
    const { attached } = await DatabaseUser.start(renamed);
    expect(attached.isCopy).toBe(false);
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });

  it('a copied directory does not get hold of the original’s data', async () => {
    const copied = path.join(closed, 'copied');
    await cp(dataDir, copied, { recursive: true });
    await expect(DatabaseUser.start(copied)).rejects.toThrow(
      /is a copy of .*To use a copy of the database, copy/,
    );
  });

  it('a copy made with its data moves that to where PostgreSQL may enter', async () => {
    const copied = path.join(closed, 'copied');
    await cp(dataDir, copied, { recursive: true });
    await cp(path.join(home, 'postgres'), path.join(copied, 'postgres'), { recursive: true });
    await rm(path.join(copied, 'postgres-location'));
    const { attached } = await DatabaseUser.start(copied);
    expect(attached).toMatchObject({ created: false, isCopy: true });
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
    await rm(path.dirname(attached.directory), { recursive: true });
  });

  it('lost data is not silently replaced by an empty database', async () => {
    await rm(home, { recursive: true });
    await expect(DatabaseUser.start(dataDir)).rejects.toThrow(/is not there any more/);
  });
});
