import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { atSuiteEnd } from './suite-end.js';

export interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script with this Node in its own process, until it ends. */
export function runNode(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Run> {
  return runProgram(process.execPath, args, env, cwd);
}

/** Runs another program. */
export async function runProgram(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Run> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = atSuiteEnd(() => child.kill('SIGKILL'));
  const exit = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [exitCode, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  await end();
  return { exitCode, stdout, stderr };
}
