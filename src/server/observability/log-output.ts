import type { LoggerService } from '@nestjs/common';
import { forTerminal } from '../../platform/validation/texts.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * One JSON object for each line, so that no field can forge a line. Lines of one turn of the event loop are
 * written together: single writes would cost more than the requests.
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

/** Start-up messages of Nest that help no operator. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** All logs of a running service: one JSON line each. Only the start-up prints plain text. */
export class JsonLogger implements LoggerService {
  constructor(private readonly output = new LogOutput()) {}

  log(message: unknown, context?: string): void {
    if (!CHATTER.has(context ?? '')) this.write('info', message, [context]);
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.write('warn', message, details);
  }

  error(message: unknown, ...details: unknown[]): void {
    this.write('error', message, details);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.write('error', message, details);
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.write('debug', message, details);
  }

  /** Nest passes the context last, and the stack of an error before it. */
  private write(level: LogLevel, message: unknown, details: unknown[]): void {
    const context = details.at(-1);
    const stack = message instanceof Error ? message.stack : details.length > 1 ? details[0] : undefined;
    this.output.write(level, 'log', { context, message: String(message), stack });
    // The process may end after an error.
    if (level === 'error') this.output.flush();
  }
}
