import { forTerminal } from '../../platform/terminal/for-terminal.js';

/** Lines for the person who started the service. */
export function log(line: string): void {
  process.stdout.write(forTerminal(process.stdout, `${line}\n`));
}
