import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  FIRST_ADMIN_FILE,
  PeopleAdministrationService,
} from '../../modules/people/people-administration.service.js';
import { PeopleListService } from '../../modules/people/people-list.service.js';
import { AdminKeysService } from '../../modules/auth/keys/admin-keys.service.js';
import { DemoLoad } from '../../demo/demo-load.service.js';
import { PaymentGateway } from '../../modules/payments/gateway/payment-gateway.js';
import { TestMoneyService } from '../../modules/payments/test-money.service.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { prepareSchema } from '../../platform/database/migrate.js';
import type { Settings } from '../../platform/settings/settings.js';
import { createApp } from '../create-app.js';
import {
  announce,
  FIRST_ADMIN,
  INVITE_ONE,
  forgedAddressWarning,
  newerSchemaWarning,
  printLine,
} from './announce.js';
import { checkAddress, stopOnSignals } from './process.js';
import { commandKey } from './command-key.js';
import { demoCredentials } from './demo-credentials.js';
import { openDatabase } from './prepare-database.js';
import { Shutdown } from './shut-down.js';

/** Starts one node in this process. Resolves when it listens. */
export async function serve(settings: Settings): Promise<void> {
  await checkAddress(settings);
  const warning = forgedAddressWarning(settings);
  if (warning) printLine(warning);
  const database = await openDatabase(settings);
  try {
    const newer = await prepareSchema(settings.databaseDirectUrl ?? database.url, settings.allowNewerSchema);
    if (newer.length > 0) printLine(newerSchemaWarning(newer));
    const app = await createApp(settings, database.url);
    await app.get(TestMoneyService).refuseTestMoney();
    // The demo is loaded only into an embedded database, and never in production.
    const loadsDemo = database.embedded !== undefined && !settings.isProduction;
    const demo = loadsDemo ? await demoCredentials(app.get(DemoLoad), settings.dataDir) : undefined;
    const invitation = await firstAdminIn(app, settings.dataDir);
    const keepKey = database.embedded && (await commandKey(app.get(AdminKeysService), settings.dataDir));
    stopOnSignals(new Shutdown(app, database, settings), settings);
    await app.listen(settings.port, settings.host);
    if (database.embedded) app.get(OwnAddress).keepPort();
    await keepKey?.(await app.getUrl());
    announce(await app.getUrl(), settings.publicUrl, app.get(PaymentGateway).name, demo);
    if (invitation) printLine(await invitation(app.get(OwnAddress).publicUrl));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The hint for an installation without an admin. It is prepared before the service listens, because nothing
 * may fail after that. A terminal shows the link; files and pipes are kept, and read by others.
 */
async function firstAdminIn(
  app: NestExpressApplication,
  dataDir: string,
): Promise<((site: string) => Promise<string>) | undefined> {
  const file = resolve(dataDir, FIRST_ADMIN_FILE);
  if (await app.get(PeopleListService).hasAdmin()) {
    await rm(file, { force: true }).catch(() => undefined);
    return undefined;
  }
  const path = await app.get(PeopleAdministrationService).firstAdminPath();
  return async (site) => {
    if (process.stdout.isTTY) return `${FIRST_ADMIN} Open this link, which works for 7 days:\n${site}${path}`;
    if (await keepSecret(file, `${site}${path}\n`))
      return `${FIRST_ADMIN} The file ${file} has a link for the first one, which works for 7 days.`;
    return `${FIRST_ADMIN} ${INVITE_ONE}`;
  };
}

/** Readable for its owner only. False if the directory cannot be written. */
async function keepSecret(file: string, content: string): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rm(file, { force: true });
    await writeFile(file, content, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
