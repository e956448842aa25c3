import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { Client } from '../auth/clients/client.entity.js';
import { Person } from '../auth/people/person.entity.js';
import { SubscriptionAdministration } from '../auth/subscriptions/subscription-administration.js';
import { Subscription } from '../auth/subscriptions/subscription.entity.js';
import { TokenAdministration } from '../auth/tokens/token-administration.js';
import { CatalogFiles } from '../catalog/files/catalog-files.js';
import { Product } from '../products/product.entity.js';
import { csvSource } from '../imports/csv-source.js';
import { PlanAdministration } from '../plans/plan-administration.js';
import { Plan } from '../plans/plan.entity.js';
import { PriceFiles } from '../plans/prices/price-files.js';
import { Database } from '../platform/database/database.js';
import { DEMO_ACTOR } from './demo-actor.js';
import { DemoOrders } from './demo-orders.js';
import { DemoRequests } from './demo-requests.js';
import { addViewer, type DemoSignIn, hasViewer, newOwner } from './demo-people.js';
import { demoFile } from './demo-products.js';
import { DedicatedConnection } from '../platform/database/dedicated-connection.js';
import { BankTransfer } from '../payments/entities/bank-transfer.entity.js';
import { BankTransfersService } from '../payments/bank-transfers.service.js';
import { StockFiles } from '../stock/files/stock-files.js';

export interface DemoCredentials extends DemoSignIn {
  token: string;
  domain: string;
}

type Keep = (credentials: DemoCredentials) => Promise<void>;

export const STORE = { name: 'Demo Store', email: 'owner@demo-store.example.com' };
const DOMAIN = 'demo-store.example.com';
const SUBSCRIBED_YEARS = 10;

/** What the store has in its wallet, so that its first orders can be paid. */
const PAID_IN = [
  { utr: 'DEMO000000000001', amount: '30000.00' },
  { utr: 'DEMO000000000002', amount: '12500.00' },
  { utr: 'DEMO000000000003', amount: '7500.00' },
];

/** What it says it has sent, and nobody has seen yet. */
const ANNOUNCED = { utr: 'DEMO000000000004', amount: '15000.00' };

/** Any number will do, as long as every node of the service asks for the same one. */
const DEMO_LOCK = 7_214_003;

/**
 * Fills an empty database with a small catalog, two plans and a store. Each file is imported in its own
 * transaction. Because of their order the process may be killed at any moment:
 *
 * 1. The store, its token and its owner, only while there is no client, plan or product. `keep` gets the
 *    credentials before the commit: the database could not tell them afterwards.
 * 2. The plans, the files and the money. Each may be repeated, and changes nothing the second time.
 * 3. The store's subscription. A demo store without one was interrupted, and the next start goes on at 2.
 * 4. The orders, each under an id of the store, which is placed once; the calls of the store, in one
 *    transaction; and the second person. Without this person the next start goes on here.
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

  /** Gives the credentials if the demo was begun here: one that others began or completed has told them before. */
  async load(keep: Keep): Promise<DemoCredentials | undefined> {
    const connection = await DedicatedConnection.open(this.dataSource);
    try {
      // Nodes that start at once take turns, and the later ones find nothing left to do. The lock goes with whoever is killed.
      await connection.client.query('SELECT pg_advisory_lock($1)', [DEMO_LOCK]);
      const credentials = await this.begin(keep);
      await this.goOn();
      return credentials;
    } finally {
      await connection.close();
    }
  }

  /** Whether its store is still served. */
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

  /** Once. */
  private async announce(clientId: number, utr: string, amount: string): Promise<BankTransfer> {
    const { manager } = this.dataSource;
    const known = await manager.findOneBy(BankTransfer, { clientId, utr });
    if (known) return known;
    const { transfer_id: transferId } = await this.transfers.announce(clientId, amount, utr, DEMO_ACTOR);
    return manager.findOneByOrFail(BankTransfer, { transferId });
  }
}

async function importFile(files: Pick<CatalogFiles, 'import'>, name: string): Promise<void> {
  const bytes = await demoFile(name);
  const source = csvSource(Readable.from([bytes]), bytes.length);
  const report = await files.import(source, { actor: DEMO_ACTOR, allOrNothing: true });
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
