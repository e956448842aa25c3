import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { SUPERUSER } from '../../src/embedded-postgres/create-cluster.js';
import { isPostmasterOf } from '../../src/embedded-postgres/postmaster.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { type DatabaseFacts, DatabaseUser } from '../support/database-user.js';
import { eventually } from '../support/eventually.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';

let room: string;
/** A DATA_DIR that has been used and stopped, and what was committed in it last. */
let used: string;
let committed: number;
let firstStart: { facts: DatabaseFacts; database: unknown[]; modes: number[] };
let names = 0;

const PRIVATE_FILES = ['postgres-password', 'owner-password', 'supervisor.json', 'postgres.log'];

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

/** Whom the cluster belongs to, as an administrator connects. */
async function administrator(dataDir: string, url: string): Promise<string> {
  const password = (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim();
  return Object.assign(new URL(url), { username: SUPERUSER, password }).href;
}

const whatWasCommitted = (url: string) => query(url, 'SELECT answer FROM kept');

const isRunning = ({ postgresPid, directory }: DatabaseFacts) =>
  isPostmasterOf(Number(postgresPid), directory);
const ended = (facts: DatabaseFacts) => eventually(async () => !(await isRunning(facts)));
const kill = (pid: number | undefined) => process.kill(Number(pid), 'SIGKILL');

async function startAndStop(dataDir: string): Promise<DatabaseFacts> {
  const user = await DatabaseUser.start(dataDir);
  await user.detach();
  return user.attached;
}

async function copyOf(dataDir: string): Promise<string> {
  const copy = unused();
  await cp(dataDir, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

describe('the first start', () => {
  it('creates the database, and keeps its password and the supervisor’s secret from other users', () => {
    expect(firstStart).toMatchObject({
      facts: { created: true, isCopy: false },
      database: ['wholesale'],
      modes: [0o600, 0o600, 0o600, 0o600],
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
  });

  it('lets nobody keep a connection for long without saying who he is', async () => {
    const { url } = (await DatabaseUser.start(used)).attached;
    expect(await query(url, 'SHOW authentication_timeout')).toEqual(['5s']);
  });

  it('begins anew when an earlier one was killed in the middle', async () => {
    const dataDir = unused();
    const unfinished = async () => (await readdir(dataDir)).filter((name) => name.includes('.creating-'));
    const earlier = DatabaseUser.start(dataDir);
    await eventually(async () => (await unfinished()).length);
    kill(JSON.parse(await readFile(path.join(dataDir, 'supervisor.json'), 'utf8')).pid);
    const next = await DatabaseUser.start(dataDir);
    expect(next.attached.postgresPid).toBe((await earlier).attached.postgresPid);
    expect(await query(next.attached.url, 'SELECT 1')).toEqual([1]);
    expect(await unfinished()).toEqual([]);
  });

  it('says what is wrong when the directory cannot be used', async () => {
    const file = unused();
    await writeFile(file, 'not a directory');
    await expect(DatabaseUser.start(file)).rejects.toThrow(/DATA_DIR .* cannot be used/);
  });
});

describe('the data of an earlier version, all of which belonged to the superuser', () => {
  it('goes on, as the owner’s', async () => {
    const copy = await copyOf(used);
    const first = await DatabaseUser.start(copy);
    const superuser = await administrator(copy, first.attached.url);
    await query(superuser, 'ALTER DATABASE wholesale OWNER TO wholesale');
    await query(first.attached.url, 'DROP TABLE kept');
    await migrate(superuser);
    await query(superuser, 'CREATE TABLE kept AS SELECT 41 AS answer');
    await query(superuser, 'CREATE SEQUENCE alone');
    await first.detach();
    await rm(path.join(copy, 'owner-password'));

    const { url } = (await DatabaseUser.start(copy)).attached;
    expect(await commitSomething(url)).toBe(42);
    expect(await migrate(url)).toEqual([]);
    const owners = `SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
              UNION SELECT DISTINCT proowner::regrole::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;
    expect(await query(url, owners)).toEqual(['wholesale_owner']);
    for (const statement of [
      'ALTER TABLE orders ADD later int',
      'DROP SEQUENCE alone',
      'SELECT begin_history()',
    ])
      await query(url, statement);
  });
});

describe('the password', () => {
  it('is needed to get in', async () => {
    const { attached } = await DatabaseUser.start(used);
    const url = Object.assign(new URL(attached.url), { password: 'guessed' }).href;
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('is not replaced when its file is lost, and works again when that is restored', async () => {
    const file = path.join(used, 'postgres-password');
    await rename(file, `${file}.away`);
    await expect(DatabaseUser.start(used)).rejects.toThrow(/postgres-password is missing/);
    await rename(`${file}.away`, file);
    expect(await whatWasCommitted((await DatabaseUser.start(used)).attached.url)).toEqual([committed]);
  });
});

describe('several users', () => {
  it('share one PostgreSQL, which ends with the last of them', async () => {
    const first = await DatabaseUser.start(used);
    const second = await DatabaseUser.start(used);
    expect(second.attached).toMatchObject({ created: false, postgresPid: first.attached.postgresPid });
    await first.detach();
    expect(await query(second.attached.url, 'SELECT 1')).toEqual([1]);
    await second.detach();
    expect(await isRunning(first.attached)).toBe(false);
    expect(await readdir(used)).not.toContain('supervisor.json');
  });

  it('may all be the first at once', async () => {
    const dataDir = unused();
    const users = await Promise.all([1, 2, 3].map(() => DatabaseUser.start(dataDir)));
    expect(users.filter((user) => user.attached.created)).toHaveLength(1);
    expect(new Set(users.map((user) => user.attached.postgresPid)).size).toBe(1);
  });

  it('can come while the last one is leaving', async () => {
    const first = await DatabaseUser.start(used);
    const [, second] = await Promise.all([first.detach(), DatabaseUser.start(used)]);
    expect(await whatWasCommitted(second.attached.url)).toEqual([committed]);
  });
});

describe('after kill -9', () => {
  let user: DatabaseUser;

  beforeEach(async () => {
    user = await DatabaseUser.start(used);
    committed = await commitSomething(user.attached.url);
  });

  it('of its user, PostgreSQL stops, and the next start finds what was committed', async () => {
    await user.kill();
    await ended(user.attached);
    const { attached } = await DatabaseUser.start(used);
    expect(attached).toMatchObject({ created: false, isCopy: false, url: user.attached.url });
    expect(await whatWasCommitted(attached.url)).toEqual([committed]);
  });

  it('of PostgreSQL, it comes back by itself at the same address', async () => {
    kill(user.attached.postgresPid);
    expect(await eventually(() => whatWasCommitted(user.attached.url))).toEqual([committed]);
    expect((await user.facts()).postgresPid).not.toBe(user.attached.postgresPid);
  });

  it('of the supervisor, its user gets another one', async () => {
    kill(user.attached.supervisorPid);
    await eventually(async () => (await user.facts()).supervisorPid !== user.attached.supervisorPid);
    expect(await eventually(() => whatWasCommitted(user.attached.url))).toEqual([committed]);
    await user.detach();
    await ended(user.attached);
  });

  it('of user and supervisor, the next start stops the PostgreSQL that was left', async () => {
    await user.kill();
    kill(user.attached.supervisorPid);
    const { attached } = await DatabaseUser.start(used);
    expect(await isRunning(user.attached)).toBe(false);
    expect(attached).toMatchObject({ isCopy: false, url: user.attached.url });
    expect(await whatWasCommitted(attached.url)).toEqual([committed]);
  });

  it('of everything at once, the next start finds what was committed', async () => {
    kill(user.attached.supervisorPid);
    kill(user.attached.postgresPid);
    await user.kill();
    const { attached } = await DatabaseUser.start(used);
    expect(attached.isCopy).toBe(false);
    expect(await whatWasCommitted(attached.url)).toEqual([committed]);
  });
});

describe('a copy of the data', () => {
  it('is told from the original until that is confirmed, wherever it is then moved', async () => {
    const copy = await copyOf(used);
    expect(await startAndStop(copy)).toMatchObject({ created: false, isCopy: true });
    const user = await DatabaseUser.start(copy);
    expect(user.attached.isCopy).toBe(true);
    expect(await user.confirmCopy()).toMatchObject({ isCopy: false });
    await user.detach();
    const moved = unused();
    await rename(copy, moved);
    expect(await startAndStop(moved)).toMatchObject({ created: false, isCopy: false });
    expect(await startAndStop(used)).toMatchObject({ isCopy: false });
  });

  it('is noticed too when it was restored into the place of the original', async () => {
    const original = `${used}.original`;
    const copy = await copyOf(used);
    await rename(used, original);
    await rename(copy, used);
    expect(await startAndStop(used)).toMatchObject({ isCopy: true });
    await rm(used, { recursive: true });
    await rename(original, used);
  });

  it('leaves the running original alone, whose process ids and secret it brought along', async () => {
    const copy = await copyOf(used);
    const original = await DatabaseUser.start(used);
    for (const note of ['supervisor.json', 'postgres-port', 'postgres/postmaster.pid']) {
      await cp(path.join(used, note), path.join(copy, note));
    }
    const { attached } = await DatabaseUser.start(copy);
    expect(attached.isCopy).toBe(true);
    expect(attached.url).not.toBe(original.attached.url);
    const { postgresPid, supervisorPid } = original.attached;
    expect(await original.facts()).toMatchObject({ postgresPid, supervisorPid });
  });
});

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('as root, in a directory that only root may enter', () => {
  let dataDir: string;
  let home: string;

  beforeAll(async () => {
    const closed = unused();
    await mkdir(closed, { mode: 0o700 });
    dataDir = path.join(closed, 'data');
    const user = await DatabaseUser.start(dataDir);
    home = path.dirname(user.attached.directory);
    await commitSomething(user.attached.url);
    await user.detach();
  });

  afterAll(() => rm(home, { recursive: true, force: true }));

  it('the data is where PostgreSQL may enter, and a note in the directory says where', async () => {
    const { attached } = await DatabaseUser.start(dataDir);
    expect(attached.directory.startsWith(room)).toBe(false);
    expect(attached.log.join()).toContain(attached.directory);
    expect((await readFile(path.join(dataDir, 'postgres-location'), 'utf8')).trim()).toBe(home);
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });

  it('a copied directory does not get hold of the original’s data', async () => {
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    await expect(DatabaseUser.start(copy)).rejects.toThrow(
      /is a copy of .*To use a copy of the database, copy/,
    );
  });

  it('a copy made with its data moves that to where PostgreSQL may enter', async () => {
    const copy = `${dataDir}-whole-copy`;
    await cp(dataDir, copy, { recursive: true });
    await cp(path.join(home, 'postgres'), path.join(copy, 'postgres'), { recursive: true });
    await rm(path.join(copy, 'postgres-location'));
    const user = await DatabaseUser.start(copy);
    expect(user.attached).toMatchObject({ created: false, isCopy: true });
    expect(await whatWasCommitted(user.attached.url)).toEqual([42]);
    await user.detach();
    await rm(path.dirname(user.attached.directory), { recursive: true });
  });

  it('lost data is not silently replaced by an empty database', async () => {
    await rename(home, `${home}.away`);
    await expect(DatabaseUser.start(dataDir)).rejects.toThrow(/is not there any more/);
    await rename(`${home}.away`, home);
  });

  it('a renamed directory keeps its data', async () => {
    const renamed = `${dataDir}-renamed`;
    await rename(dataDir, renamed);
    const { attached } = await DatabaseUser.start(renamed);
    expect(attached.isCopy).toBe(false);
    expect(await whatWasCommitted(attached.url)).toEqual([42]);
  });
});
