import { Logger } from '@nestjs/common';
import { atSuiteEnd } from './suite-end.js';
import { SERVICE_LOG } from './service-log.js';

/** Collects the log messages of the service in this process. */
export function watchLog(): string[] {
  const entries: string[] = [];
  const onEntry = (message: unknown) => void entries.push(String(message));
  Logger.overrideLogger({ log: onEntry, warn: onEntry, error: onEntry });
  atSuiteEnd(() => Logger.overrideLogger(SERVICE_LOG));
  return entries;
}
