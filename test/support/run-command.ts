import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createCli } from '../../src/cli/create-cli.js';
import { connectionFor } from './command-service.js';
import type { Run } from './run-node.js';

export const INSTALLED_CLI = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));

/** Runs a command without its own process, which is much faster. */
export function runCommand(databaseUrl: string, ...args: string[]): Promise<Run> {
  return runCommandIn({ DATABASE_URL: databaseUrl }, ...args);
}

/** Runs a command with text on standard input. */
export function runCommandOn(input: string | Buffer, databaseUrl: string, ...args: string[]): Promise<Run> {
  return runIn(input, { DATABASE_URL: databaseUrl }, args);
}

/** Runs a command with more variables than the database. */
export function runCommandIn(env: Record<string, string>, ...args: string[]): Promise<Run> {
  return runIn('', env, args);
}

export async function runIn(
  input: string | Buffer,
  env: Record<string, string>,
  args: string[],
): Promise<Run> {
  const stdin = Readable.from([Buffer.from(input)]);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const all = { ...env, ...(await connectionFor(env, args)) };
  const exitCode = await createCli(args, { env: all, stdin, stdout, stderr }).main();
  stdout.end();
  stderr.end();
  const [output, errors] = await outputs;
  return { exitCode, stdout: output, stderr: errors };
}

/** Returns the JSON answer of a command. A failed command fails the test. */
export async function answerOf<Value>(databaseUrl: string, ...args: string[]): Promise<Value> {
  const run = await runCommand(databaseUrl, ...args, '--json');
  if (run.exitCode !== 0)
    throw new Error(`${args.join(' ')} ended with ${run.exitCode}: ${run.stderr}${run.stdout}`);
  return JSON.parse(run.stdout) as Value;
}
