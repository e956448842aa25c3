import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Run, runNode } from './run-node.js';

export const CLI = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));

/** Runs one of the wholesaler's commands as it is installed, in a process of its own, where no `.env` lies about. */
export function runCommand(databaseUrl: string, ...args: string[]): Promise<Run> {
  return runNode([CLI, ...args], { DATABASE_URL: databaseUrl }, tmpdir());
}

/** The value that a command answered with; anything but success fails the test. */
export async function answerOf<Value>(databaseUrl: string, ...args: string[]): Promise<Value> {
  const run = await runCommand(databaseUrl, ...args, '--json');
  if (run.exitCode !== 0)
    throw new Error(`${args.join(' ')} ended with ${run.exitCode}: ${run.stderr}${run.stdout}`);
  return JSON.parse(run.stdout) as Value;
}
