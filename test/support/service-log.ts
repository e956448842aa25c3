import type { LoggerService } from '@nestjs/common';

/** The environment of the suites shows these beside a failed test; see environment.js. */
const ERRORS = Symbol.for('errors of the service');

/** Errors that the service in this process has logged. */
export const serviceErrors = ((globalThis as Record<symbol, unknown>)[ERRORS] ??= []) as string[];

const ignore = () => undefined;

export const SERVICE_LOG: LoggerService = {
  log: ignore,
  warn: ignore,
  error: (...args: unknown[]) => void serviceErrors.push(args.join('\n')),
};
