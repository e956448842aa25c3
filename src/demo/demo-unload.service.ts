import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
import { ClientAdministration } from '../clients/client-administration.service.js';
import { Client } from '../clients/client.entity.js';
import { Person } from '../people/person.entity.js';
import { SubscriptionAdministration } from '../clients/subscription-administration.service.js';
import { Subscription } from '../clients/subscription.entity.js';
import { Seller } from '../invoices/entities/seller.entity.js';
import { Database } from '../platform/database/database.js';
import { ADMIN, DEMO_ACTOR, demoProducts, IS_MADE_UP, SELLER, STORE } from './demo-store.js';

export interface RealThings {
  clients: number;
  products: number;
  orders: number;
}

export interface Unloaded {
  /** Products that were taken off sale. */
  deactivated: number;
  store_suspended: boolean;
}

// SQL: a sample catalog may have millions of products, and `IS_MADE_UP` is SQL.

const COUNT_REAL = {
  name: 'demo-count-real',
  text: `
    SELECT (SELECT count(*)::int FROM clients WHERE email <> $3) AS clients,
           (SELECT count(*)::int FROM products p WHERE NOT ${IS_MADE_UP}) AS products,
           (SELECT count(*)::int FROM orders o JOIN clients c ON c.id = o.client_id
             WHERE c.email <> $3) AS orders`,
};

const WITHDRAW = {
  name: 'demo-withdraw',
  text: `
    WITH withdrawn AS (UPDATE products p SET active = false WHERE p.active AND ${IS_MADE_UP} RETURNING 1)
    SELECT count(*)::int AS deactivated FROM withdrawn`,
};

/** Tells samples from real data, and takes the samples out of use. */
@Injectable()
export class DemoUnload {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientAdministration,
    private readonly subscriptions: SubscriptionAdministration,
  ) {}

  /** Counts the data that no demo made. */
  async realThings(): Promise<RealThings> {
    const values = [...(await demoProducts()), STORE.email];
    const [found] = await this.database.query<RealThings & Record<string, number>>(COUNT_REAL, values);
    return found!;
  }

  /**
   * Deletes only the seller, because records refer to the rest. The suspended store tells the next start
   * that the demo was there.
   */
  async unload(): Promise<Unloaded> {
    const [products] = await this.database.query<{ deactivated: number }>(WITHDRAW, await demoProducts());
    return { ...products!, store_suspended: await this.closeStore() };
  }

  private async closeStore(): Promise<boolean> {
    const store = await this.database.transaction(async ({ manager }) => {
      await manager.delete(Seller, { gstin: SELLER.gstin });
      const found = await manager.findOneBy(Client, STORE);
      const goesOn =
        found && (await manager.existsBy(Subscription, { clientId: found.id, endsAt: MoreThan(new Date()) }));
      if (found) await this.disable(manager, { clientId: found.id });
      await this.disable(manager, { clientId: IsNull(), email: ADMIN.email });
      return found && { id: found.id, goesOn };
    });
    if (!store) return false;
    await this.clients.suspend(store.id, DEMO_ACTOR);
    if (store.goesOn) await this.subscriptions.end(store.id, DEMO_ACTOR);
    return true;
  }

  private async disable(manager: EntityManager, who: FindOptionsWhere<Person>): Promise<void> {
    await manager.update(Person, { ...who, disabledAt: IsNull() }, { disabledAt: () => 'now()' });
  }
}
