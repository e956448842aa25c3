import type { NestExpressApplication } from '@nestjs/platform-express';
import { PeopleAdministrationService } from '../../modules/people/people-administration.service.js';
import { PeopleListService } from '../../modules/people/people-list.service.js';
import { DemoLoad } from '../../demo/demo-load.service.js';
import { PaymentGateway } from '../../modules/payments/gateway/payment-gateway.js';
import { TestMoneyService } from '../../modules/payments/test-money.service.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { migrate } from '../../platform/database/migrate.js';
import type { Settings } from '../../platform/settings/settings.js';
import { SnapshotConnection } from '../../read-model/snapshot/snapshot-connection.js';
import { createApp } from '../create-app.js';
import { announce, FIRST_ADMIN, INVITE_ONE, forgedAddressWarning, say } from './announce.js';
import { checkAddress, obeySignals } from './process.js';
import { demoCredentials } from './demo-credentials.js';
import { openDatabase, type OpenDatabase } from './prepare-database.js';
import { Shutdown } from './shut-down.js';

/** Starts one node in this process. Resolves when it listens. */
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

interface Role {
  /** The first process loads the demo and prints the address. */
  isFirst: boolean;
  /** Prints the progress of the shutdown. */
  tell: (line: string) => void;
  /** Connects the shutdown to signals or messages. */
  obey: (shutdown: Shutdown) => void;
}

/** Serves with this database. Resolves when it listens. */
export async function serveOn(database: OpenDatabase, settings: Settings, role: Role): Promise<void> {
  try {
    await prepareDatabase({ ...database, url: settings.databaseDirectUrl ?? database.url });
    const app = await createApp(settings, database.url);
    await app.get(TestMoneyService).refuseOutsideTests();
    // The demo is loaded only into an embedded database, and never in production.
    const fills = role.isFirst && database.embedded !== undefined && !settings.isProduction;
    const demo = fills ? await demoCredentials(app.get(DemoLoad), settings.dataDir) : undefined;
    const invitation = role.isFirst ? await firstAdminIn(app) : undefined;
    role.obey(new Shutdown(app, database, settings, role.tell));
    await app.listen(settings.port, settings.host);
    if (!role.isFirst) return;
    if (database.embedded) app.get(OwnAddress).keepPort();
    announce(await app.getUrl(), settings.publicUrl, app.get(PaymentGateway).name, demo);
    if (invitation) say(invitation(app.get(OwnAddress).publicUrl));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The hint for an installation without an admin. It is prepared before the service listens, because nothing
 * may fail after that. A terminal shows the link; files and pipes are kept, and read by others.
 */
async function firstAdminIn(app: NestExpressApplication): Promise<((site: string) => string) | undefined> {
  if (await app.get(PeopleListService).hasAdmin()) return undefined;
  if (!process.stdout.isTTY) return () => `${FIRST_ADMIN} ${INVITE_ONE}`;
  const path = await app.get(PeopleAdministrationService).firstAdminPath();
  return (site) => `${FIRST_ADMIN} Open this link, which works for 7 days:\n${site}${path}`;
}

/** Migrates the schema, and begins a new generation for a copied database. Later nodes find nothing to do. */
async function prepareDatabase({ url, embedded }: OpenDatabase): Promise<void> {
  await migrate(url);
  if (!embedded?.isCopy) return;
  await beginHistory(url);
  await embedded.confirmCopy();
}

async function beginHistory(url: string): Promise<void> {
  const connection = new SnapshotConnection(url);
  try {
    await connection.beginHistory();
  } finally {
    connection.close();
  }
}
