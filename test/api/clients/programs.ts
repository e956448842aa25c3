import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, runProgram } from '../../support/run-node.js';

/** The programs that run the examples, by the ends of their names. */
const PROGRAMS = { mjs: process.execPath, php: find('php'), py: find('python3'), sh: find('bash') };

export type Kind = keyof typeof PROGRAMS;

function find(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

/** The kinds that this machine can run, and those that it cannot. */
export const canRun = (kind: Kind): boolean => PROGRAMS[kind] !== undefined;

export const fileAt = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

export function run(
  file: string,
  args: string[],
  env: Record<string, string>,
  folder?: string,
): Promise<Run> {
  const kind = path.extname(file).slice(1) as Kind;
  return runProgram(PROGRAMS[kind]!, [file, ...args], env, folder);
}
