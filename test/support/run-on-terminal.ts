import { execFileSync } from 'node:child_process';
import { type Run, runProgram } from './run-node.js';

/** util-linux's, which gives a program a terminal of its own; macOS has another one of that name. */
export const HAS_TERMINALS = (() => {
  try {
    return execFileSync('script', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).includes(
      'util-linux',
    );
  } catch {
    return false;
  }
})();

/** The command line of a script with this Node on a terminal, which is where both its outputs go. */
export function onTerminal(args: string[]): [program: string, ...args: string[]] {
  const command = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return ['script', '-qefc', `exec ${command.join(' ')}`, '/dev/null'];
}

export async function runOnTerminal(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const [program, ...words] = onTerminal(args);
  const run = await runProgram(program, words, env);
  return { ...run, stdout: asRead(run.stdout) };
}

/** A terminal begins its lines with a carriage return. */
export function asRead(shown: string): string {
  return shown.replaceAll('\r\n', '\n');
}
