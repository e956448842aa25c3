import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Outcome {
  /** Not 0 when the program failed, was killed or could not be started at all. */
  code: number;
  /** What it wrote, errors included. */
  output: string;
}

/** What a child gets of our environment: PGPORT, PGDATA and the like would change what PostgreSQL does. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, SystemRoot } = process.env;
  return { PATH, TMPDIR, SystemRoot, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Runs a program to its end. With an account it gives up root first; Node then drops the supplementary groups too
 * (https://docs.libuv.org/en/v1.x/process.html: setgroups is called when a uid or gid is set).
 */
export async function run(
  command: string,
  args: readonly string[],
  account?: { uid: number; gid: number },
): Promise<Outcome> {
  // In `/` because a program that may not enter its working directory complains about it.
  const child = spawn(command, args, {
    cwd: '/',
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, output: '' }));
  });
  const [outcome, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code: outcome.code, output: outcome.output + out + err };
}
