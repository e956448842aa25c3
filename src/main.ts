import 'reflect-metadata';
import { readSettings, SettingsError } from './platform/settings/read-settings.js';
import { forTerminal } from './platform/terminal/for-terminal.js';
import { EmbeddedDatabaseError } from './embedded-postgres/embedded-database-error.js';
import { AddressError } from './host/startup/check-address.js';
import { DatabaseUnreachableError } from './host/startup/await-database.js';
import { serve } from './host/startup/serve.js';
import { AlreadyServedError } from './host/startup/service-lock.js';

const FOR_PEOPLE = [
  AddressError,
  SettingsError,
  EmbeddedDatabaseError,
  AlreadyServedError,
  DatabaseUnreachableError,
];

/** What a person can mend is told in plain words; anything else with its stack. */
function explain(error: unknown): string {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await serve(readSettings(process.env));
} catch (error) {
  process.stderr.write(forTerminal(process.stderr, `${explain(error)}\n`));
  process.exit(1);
}
