import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { TokenAdministrationService } from '../modules/auth/tokens/token-administration.service.js';
import { CatalogFiles } from '../modules/catalog/catalog-files.service.js';
import { Product } from '../modules/catalog/product.entity.js';
import { ClientAdministrationService } from '../modules/clients/client-administration.service.js';
import { Client, Subscription } from '../modules/clients/client.entity.js';
import { SubscriptionAdministrationService } from '../modules/clients/subscription-administration.service.js';
import { SellersService } from '../modules/invoices/sellers.service.js';
import { Person } from '../modules/people/person.entity.js';
import { PlanAdministration } from '../modules/plans/plan-administration.service.js';
import { Plan } from '../modules/plans/plan.entity.js';
import { PriceFiles } from '../modules/plans/price-files.service.js';
import { Database } from '../platform/database/database.js';
import { DedicatedConnections } from '../platform/database/dedicated-connection.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { StockFiles } from '../modules/stock/stock-files.service.js';
import { DemoHistory } from './demo-history.service.js';
import { PICTURES_PATH } from './demo-pictures.controller.js';
import { DemoRequests } from './demo-requests.service.js';
import {
  DEMO_ACTOR,
  DEMO_TIMEOUT_MS,
  DOMAIN,
  demoFile,
  type DemoSignIn,
  hasViewer,
  addTraces,
  newPeople,
  SELLER,
  STORE,
  STORE_BILLING,
} from './demo-store.js';
import { waitForTurn } from './demo.repository.js';

export interface DemoCredentials extends DemoSignIn {
  token: string;
  domain: string;
}

type Keep = (credentials: DemoCredentials) => Promise<void>;

/** The subscription began before the first order. */
const SUBSCRIBED_DAYS = 60;
const SUBSCRIBED_YEARS = 10;

/** The pictures in the demo's file. The service has its own for them. */
const FAR_PICTURES = /https:\/\/images\.example\.com\/products\/([\w-]+)\.jpg/g;

/**
 * Fills an empty database with a small catalog, two plans and a store, at the first start. Each file is
 * imported in its own transactions. A start that was killed is completed by the next one:
 *
 * 1. The store, its token, its owner and the wholesaler's admin, if there is no client, person, plan or
 *    product. `keep` gets the credentials before the commit: the database has only hashes, so the token of a
 *    demo is never lost.
 * 2. The plans, the files and, if tax is on, the seller. A repetition changes nothing.
 * 3. The subscription of the store. A demo store without one was interrupted, and continues at 2.
 * 4. Orders, invoices and money (one transaction), requests (one transaction), and last the invited person,
 *    who marks the end.
 */
@Injectable()
export class DemoLoad {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly connections: DedicatedConnections,
    private readonly tokens: TokenAdministrationService,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly plans: PlanAdministration,
    private readonly catalog: CatalogFiles,
    private readonly stock: StockFiles,
    private readonly prices: PriceFiles,
    private readonly history: DemoHistory,
    private readonly requests: DemoRequests,
    private readonly address: OwnAddress,
    private readonly clients: ClientAdministrationService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the credentials if this call created the demo. */
  async load(keep: Keep): Promise<DemoCredentials | undefined> {
    const connection = await this.connections.open('record');
    try {
      await waitForTurn(connection);
      const credentials = await this.begin(keep);
      await this.goOn();
      return credentials;
    } finally {
      await connection.close();
    }
  }

  isOpen(): Promise<boolean> {
    return this.dataSource.manager.existsBy(Client, { ...STORE, suspendedAt: IsNull() });
  }

  private async begin(keep: Keep): Promise<DemoCredentials | undefined> {
    if (await isInUse(this.dataSource.manager)) return undefined;
    // On a busy machine the hashes take longer than a transaction may.
    const { owner, admin, signIn } = await newPeople();
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      if (await isInUse(manager)) return undefined;
      const { id } = await manager.save(Client, { ...STORE });
      await manager.insert(Person, [
        { ...owner, clientId: id },
        { ...admin, clientId: null },
      ]);
      const { token, domain } = await this.tokens.issueWithin(transaction, id, DOMAIN, DEMO_ACTOR);
      const credentials = { token, domain, ...signIn };
      await keep(credentials);
      return credentials;
    });
  }

  private async goOn(): Promise<void> {
    const { manager } = this.dataSource;
    const store = await manager.findOneBy(Client, STORE);
    if (!store || store.suspendedAt) return;
    const { id: clientId } = store;
    if (!(await manager.existsBy(Subscription, { clientId }))) await this.complete(clientId);
    if (await hasViewer(manager, clientId)) return;
    await this.history.make(clientId);
    await this.requests.make(clientId);
    await this.database.transaction((transaction) => addTraces(transaction, clientId), DEMO_TIMEOUT_MS);
  }

  private async complete(clientId: number): Promise<void> {
    await this.plans.set('starter', { name: 'Starter', discount: '0' }, DEMO_ACTOR);
    await this.plans.set('growth', { name: 'Growth', discount: '12.5' }, DEMO_ACTOR);
    const near = (text: string) =>
      text.replaceAll(FAR_PICTURES, `${this.address.publicUrl}${PICTURES_PATH}/$1.svg`);
    await importFile(this.catalog, 'catalog', near);
    await importFile(this.stock, 'stock');
    await importFile(this.prices, 'prices');
    if (this.settings.tax === 'gst') {
      await this.clients.set(clientId, STORE_BILLING, DEMO_ACTOR);
      if (!(await this.sellers.isTaxOn())) await this.sellers.set(SELLER, DEMO_ACTOR);
    }
    const [from, until] = [new Date(), new Date()];
    from.setDate(from.getDate() - SUBSCRIBED_DAYS);
    until.setFullYear(until.getFullYear() + SUBSCRIBED_YEARS);
    await this.subscriptions.set(clientId, { plan: 'growth', from, until }, DEMO_ACTOR);
  }
}

async function importFile(
  files: Pick<CatalogFiles, 'import'>,
  name: string,
  change?: (text: string) => string,
): Promise<void> {
  const file = await demoFile(name, change);
  const report = await files.import(file, { actor: DEMO_ACTOR, allOrNothing: true });
  try {
    for await (const { line, column, message } of report.failed())
      throw new Error(`Row ${line} of the demo's ${name}.csv: ${column} ${message}`);
  } finally {
    await report.close();
  }
}

function isInUse(manager: EntityManager): Promise<boolean> {
  const entities = [Client, Person, Plan, Product];
  return Promise.all(entities.map((entity) => manager.exists(entity))).then((found) => found.includes(true));
}
