import { DemoLoad } from '../../demo/demo-load.js';
import { PaymentGateway } from '../../payments/gateway/payment-gateway.js';
import { TestMoneyService } from '../../payments/test-money.service.js';
import type { Settings } from '../../platform/settings/settings.js';
import { createApp } from '../create-app.js';
import { announce } from './announce.js';
import { demoCredentials } from './demo-credentials.js';
import type { OpenDatabase } from './open-database.js';
import { prepareDatabase } from './prepare-database.js';
import { Shutdown } from './shut-down.js';

interface Role {
  /** Fills the demo's database, and tells people where the service is. */
  isFirst: boolean;
  /** For whoever watches it stop. */
  tell: (line: string) => void;
  /** Who tells it to stop. */
  obey: (shutdown: Shutdown) => void;
}

/** Serves with what is in this database, and returns when it listens. */
export async function serveOn(database: OpenDatabase, settings: Settings, role: Role): Promise<void> {
  try {
    await prepareDatabase(database);
    const app = await createApp(settings, database.url);
    await app.get(TestMoneyService).refuseOutsideTests();
    // A database that the service was given is filled by nobody but its owner.
    const fills = role.isFirst && database.embedded !== undefined;
    const demo = fills ? await demoCredentials(app.get(DemoLoad), settings.dataDir) : undefined;
    role.obey(new Shutdown(app, database, settings, role.tell));
    await app.listen(settings.port, settings.host);
    if (role.isFirst) announce(await app.getUrl(), settings.publicUrl, app.get(PaymentGateway).name, demo);
  } catch (error) {
    await database.close();
    throw error;
  }
}
