import { forTerminal } from '../../platform/terminal/for-terminal.js';

/** Lines of one turn of the event loop leave together: a write for each would cost more than the requests it tells of. */
export class LogOutput {
  private waiting = '';

  constructor(private readonly stream: { write(text: string): unknown; isTTY?: boolean } = process.stdout) {}

  write(line: string): void {
    if (this.waiting === '') setImmediate(() => this.flush());
    this.waiting += line;
  }

  flush(): void {
    if (this.waiting === '') return;
    this.stream.write(forTerminal(this.stream, this.waiting));
    this.waiting = '';
  }
}
