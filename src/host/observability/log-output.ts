import { forTerminal } from '../../platform/validation/texts.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a pipe takes in one piece (PIPE_BUF), so that what several workers write does not mingle. */
const PIECE_BYTES = 4_096;

/**
 * One JSON object a line, whatever the fields hold: nobody can forge a second one. Lines of one turn of the event loop leave together:
 * a write for each would cost more than the requests it tells of.
 */
export class LogOutput {
  private waiting = '';

  constructor(
    private readonly stream: { write(text: string): unknown; isTTY?: boolean } = process.stdout,
    /** Which of several processes writes. */
    private readonly worker?: number,
  ) {}

  write(level: LogLevel, event: string, fields: Record<string, unknown>): void {
    if (this.waiting === '') setImmediate(() => this.flush());
    const { worker } = this;
    const line = `${JSON.stringify({ time: new Date().toISOString(), level, event, worker, ...fields })}\n`;
    if (worker !== undefined && Buffer.byteLength(this.waiting + line) > PIECE_BYTES) this.flush();
    this.waiting += line;
  }

  flush(): void {
    if (this.waiting === '') return;
    this.stream.write(forTerminal(this.stream, this.waiting));
    this.waiting = '';
  }
}
