import { execFileSync } from 'node:child_process';
import { type Run, runProgram } from './run-node.js';

/**
 * Whether `script` of util-linux is installed, which runs a program on a terminal. macOS has another
 * `script`.
 */
export const HAS_TERMINALS = (() => {
  try {
    return execFileSync('script', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).includes(
      'util-linux',
    );
  } catch {
    return false;
  }
})();

/** Returns a command line that runs a script with this Node on a terminal, which shows stdout and stderr. */
export function onTerminal(args: string[]): [program: string, ...args: string[]] {
  const command = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return ['script', '-qefc', `exec ${command.join(' ')}`, '/dev/null'];
}

export async function runOnTerminal(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const [program, ...words] = onTerminal(args);
  const run = await runProgram(program, words, env);
  return { ...run, stdout: asRead(run.stdout) };
}

/** A terminal ends its lines with CRLF. */
export function asRead(output: string): string {
  return output.replaceAll('\r\n', '\n');
}
