import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createCli } from '../../src/doors/cli/create-cli.js';
import { type Run, runNode } from './run-node.js';

export const INSTALLED_CLI = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));

/** Runs one of the wholesaler's commands to its end without a process of its own, which is much quicker. */
export function runCommand(databaseUrl: string, ...args: string[]): Promise<Run> {
  return runCommandIn({ DATABASE_URL: databaseUrl }, ...args);
}

/** The same with something on its standard input. */
export function runCommandOn(input: string | Buffer, databaseUrl: string, ...args: string[]): Promise<Run> {
  return runIn(input, { DATABASE_URL: databaseUrl }, args);
}

/** The same where more is set than the database. */
export function runCommandIn(env: Record<string, string>, ...args: string[]): Promise<Run> {
  return runIn('', env, args);
}

async function runIn(input: string | Buffer, env: Record<string, string>, args: string[]): Promise<Run> {
  const stdin = Readable.from([Buffer.from(input)]);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await createCli(args, { env, stdin, stdout, stderr }).main();
  stdout.end();
  stderr.end();
  const [told, complained] = await said;
  return { exitCode, stdout: told, stderr: complained };
}

/** The same as it is installed, where the process is the point, and where no `.env` lies about. */
export function runInstalledCommand(databaseUrl: string, ...args: string[]): Promise<Run> {
  return runNode([INSTALLED_CLI, ...args], { DATABASE_URL: databaseUrl }, tmpdir());
}

/** The value that a command answered with; anything but success fails the test. */
export async function answerOf<Value>(databaseUrl: string, ...args: string[]): Promise<Value> {
  const run = await runCommand(databaseUrl, ...args, '--json');
  if (run.exitCode !== 0)
    throw new Error(`${args.join(' ')} ended with ${run.exitCode}: ${run.stderr}${run.stdout}`);
  return JSON.parse(run.stdout) as Value;
}
