import { DemoLoad } from '../../demo/demo-load.js';
import { createApp } from '../create-app.js';
import type { Settings } from '../../platform/settings/settings.js';
import { announce } from './announce.js';
import { checkAddress } from './check-address.js';
import { demoCredentials } from './demo-credentials.js';
import { openDatabase } from './open-database.js';
import { shutDownOnSignals } from './shut-down.js';

/** Starts one node of the service and returns when it listens. */
export async function serve(settings: Settings): Promise<void> {
  await checkAddress(settings);
  const database = await openDatabase(settings);
  try {
    const app = await createApp(settings, database.url);
    // A database that the service was given is filled by nobody but its owner.
    const demo = database.embedded ? await demoCredentials(app.get(DemoLoad), settings.dataDir) : undefined;
    shutDownOnSignals(app, settings, database);
    await app.listen(settings.port, settings.host);
    announce(await app.getUrl(), settings.publicUrl, demo);
  } catch (error) {
    await database.close();
    throw error;
  }
}
