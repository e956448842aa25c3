import type { Settings } from '../../platform/settings/settings.js';
import { forgedAddressWarning, say } from './announce.js';
import { checkAddress } from './check-address.js';
import { openDatabase } from './open-database.js';
import { serveOn } from './serve-on.js';
import { obeySignals } from './obey-signals.js';

/** Starts one node of the service, in this process alone, and returns when it listens. */
export async function serve(settings: Settings): Promise<void> {
  await checkAddress(settings);
  const warning = forgedAddressWarning(settings);
  if (warning) say(warning);
  const database = await openDatabase(settings);
  await serveOn(database, settings, {
    isFirst: true,
    tell: say,
    obey: (shutdown) => obeySignals(shutdown, settings),
  });
}
