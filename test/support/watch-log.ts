import { Logger } from '@nestjs/common';
import { inTheEnd } from './suite-end.js';
import { SERVICE_LOG } from './service-log.js';

/** Collects the log messages of the service in this process. */
export function watchLog(): string[] {
  const told: string[] = [];
  const tell = (message: unknown) => void told.push(String(message));
  Logger.overrideLogger({ log: tell, warn: tell, error: tell });
  inTheEnd(() => Logger.overrideLogger(SERVICE_LOG));
  return told;
}
