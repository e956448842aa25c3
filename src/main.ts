import 'reflect-metadata';
import { readSettings, SettingsError } from './settings/read-settings.js';
import { EmbeddedDatabaseError } from './database/embedded/embedded-database-error.js';
import { serve } from './startup/serve.js';
import { AlreadyServedError } from './startup/service-lock.js';

/** What a person can mend is told in plain words; anything else with its stack. */
function explain(error: unknown): string {
  if (
    error instanceof SettingsError ||
    error instanceof EmbeddedDatabaseError ||
    error instanceof AlreadyServedError
  )
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await serve(readSettings(process.env));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
