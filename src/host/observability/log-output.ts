import { forTerminal } from '../../platform/terminal/for-terminal.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * One JSON object a line, whatever the fields hold: nobody can forge a second one. Lines of one turn of the event loop leave together:
 * a write for each would cost more than the requests it tells of.
 */
export class LogOutput {
  private waiting = '';

  constructor(private readonly stream: { write(text: string): unknown; isTTY?: boolean } = process.stdout) {}

  write(level: LogLevel, event: string, fields: Record<string, unknown>): void {
    if (this.waiting === '') setImmediate(() => this.flush());
    this.waiting += `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
  }

  flush(): void {
    if (this.waiting === '') return;
    this.stream.write(forTerminal(this.stream, this.waiting));
    this.waiting = '';
  }
}
