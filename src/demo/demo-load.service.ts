import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { Client } from '../auth/clients/client.entity.js';
import { Person } from '../auth/people/person.entity.js';
import { SubscriptionAdministration } from '../auth/subscriptions/subscription-administration.js';
import { Subscription } from '../auth/subscriptions/subscription.entity.js';
import { TokenAdministration } from '../auth/tokens/token-administration.js';
import { CatalogFiles } from '../catalog/catalog-files.service.js';
import { BankTransfer } from '../payments/entities/bank-transfer.entity.js';
import { BankTransfersService } from '../payments/bank-transfers.service.js';
import { PlanAdministration } from '../plans/plan-administration.service.js';
import { Plan } from '../plans/plan.entity.js';
import { PriceFiles } from '../plans/price-files.service.js';
import { Database } from '../platform/database/database.js';
import { DedicatedConnection } from '../platform/database/dedicated-connection.js';
import { Product } from '../products/product.entity.js';
import { StockFiles } from '../stock/stock-files.service.js';
import { DemoOrders } from './demo-orders.service.js';
import { DemoRequests } from './demo-requests.service.js';
import {
  addViewer,
  DEMO_ACTOR,
  demoFile,
  type DemoSignIn,
  hasViewer,
  newOwner,
  STORE,
} from './demo-store.js';

export interface DemoCredentials extends DemoSignIn {
  token: string;
  domain: string;
}

type Keep = (credentials: DemoCredentials) => Promise<void>;

const DOMAIN = 'demo-store.example.com';
const SUBSCRIBED_YEARS = 10;

/** Lets the store pay its first orders. */
const PAID_IN = [
  { utr: 'DEMO000000000001', amount: '30000.00' },
  { utr: 'DEMO000000000002', amount: '12500.00' },
  { utr: 'DEMO000000000003', amount: '7500.00' },
];

/** A reported transfer that is not confirmed yet. */
const ANNOUNCED = { utr: 'DEMO000000000004', amount: '15000.00' };

/** Any number will do, if all nodes use the same. */
const DEMO_LOCK = 7_214_003;

/**
 * Fills an empty database with a small catalog, two plans and a store, at the first start. Each file is
 * imported in its own transactions. A start that was killed is completed by the next one:
 *
 * 1. The store, its token and its owner, if there is no client, plan or product. `keep` gets the credentials
 *    before the commit: the database has only hashes, so the token of a demo is never lost.
 * 2. The plans, the files and the money. A repetition changes nothing.
 * 3. The subscription of the store. A demo store without one was interrupted, and continues at 2.
 * 4. Orders (each store id once), requests (one transaction), and last the second person, who marks the end.
 */
@Injectable()
export class DemoLoad {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly tokens: TokenAdministration,
    private readonly subscriptions: SubscriptionAdministration,
    private readonly plans: PlanAdministration,
    private readonly catalog: CatalogFiles,
    private readonly stock: StockFiles,
    private readonly prices: PriceFiles,
    private readonly transfers: BankTransfersService,
    private readonly orders: DemoOrders,
    private readonly requests: DemoRequests,
  ) {}

  /** Gives the credentials if the demo began here. */
  async load(keep: Keep): Promise<DemoCredentials | undefined> {
    const connection = await DedicatedConnection.open(this.dataSource);
    try {
      // Nodes that start together take turns. The lock ends with a node that is killed.
      await connection.client.query('SELECT pg_advisory_lock($1)', [DEMO_LOCK]);
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
    // On a busy machine the hash takes longer than a transaction may.
    const { password, ...owner } = await newOwner();
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      if (await isInUse(manager)) return undefined;
      const { id } = await manager.save(Client, { ...STORE });
      await manager.insert(Person, { ...owner, clientId: id });
      const { token, domain } = await this.tokens.issueWithin(transaction, id, DOMAIN, DEMO_ACTOR);
      const credentials = { token, domain, email: owner.email, password };
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
    await this.orders.make(clientId);
    await this.requests.make(clientId);
    await addViewer(manager, clientId);
  }

  private async complete(clientId: number): Promise<void> {
    await this.plans.set('starter', { name: 'Starter', discount: '0' }, DEMO_ACTOR);
    await this.plans.set('growth', { name: 'Growth', discount: '12.5' }, DEMO_ACTOR);
    await importFile(this.catalog, 'catalog');
    await importFile(this.stock, 'stock');
    await importFile(this.prices, 'prices');
    for (const { utr, amount } of PAID_IN) await this.payIn(clientId, utr, amount);
    await this.announce(clientId, ANNOUNCED.utr, ANNOUNCED.amount);
    const until = new Date();
    until.setFullYear(until.getFullYear() + SUBSCRIBED_YEARS);
    await this.subscriptions.set(clientId, { plan: 'growth', until }, DEMO_ACTOR);
  }

  private async payIn(clientId: number, utr: string, amount: string): Promise<void> {
    const { transferId, status } = await this.announce(clientId, utr, amount);
    if (status !== 'confirmed') await this.transfers.confirm(transferId, DEMO_ACTOR);
  }

  /** Only once for each UTR. */
  private async announce(clientId: number, utr: string, amount: string): Promise<BankTransfer> {
    const { manager } = this.dataSource;
    const known = await manager.findOneBy(BankTransfer, { clientId, utr });
    if (known) return known;
    const { transfer_id: transferId } = await this.transfers.announce(clientId, amount, utr, DEMO_ACTOR);
    return manager.findOneByOrFail(BankTransfer, { transferId });
  }
}

async function importFile(files: Pick<CatalogFiles, 'import'>, name: string): Promise<void> {
  const report = await files.import(await demoFile(name), { actor: DEMO_ACTOR, allOrNothing: true });
  try {
    for await (const { line, column, message } of report.failed())
      throw new Error(`Row ${line} of the demo's ${name}.csv: ${column} ${message}`);
  } finally {
    await report.close();
  }
}

function isInUse(manager: EntityManager): Promise<boolean> {
  const entities = [Client, Plan, Product];
  return Promise.all(entities.map((entity) => manager.exists(entity))).then((found) => found.includes(true));
}
