import type { LoggerService } from '@nestjs/common';
import { type LogLevel, LogOutput } from './log-output.js';

/** What Nest tells of its own start-up is of no use to anybody who runs the service. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Everything that is logged while the service runs: one JSON line each. Only the start-up speaks to people. */
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

  /** Nest hands over the context last, and the stack of an error before it. */
  private write(level: LogLevel, message: unknown, details: unknown[]): void {
    const context = details.at(-1);
    const stack = message instanceof Error ? message.stack : details.length > 1 ? details[0] : undefined;
    this.output.write(level, 'log', { context, message: String(message), stack });
    // An error may be the last thing before the process ends.
    if (level === 'error') this.output.flush();
  }
}
