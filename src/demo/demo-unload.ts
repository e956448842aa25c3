import { Injectable } from '@nestjs/common';
import { Client } from '../auth/clients/client.entity.js';
import { Subscription } from '../auth/subscriptions/subscription.entity.js';
import { SubscriptionAdministration } from '../auth/subscriptions/subscription-administration.js';
import { ClientAdministration } from '../auth/clients/client-administration.js';
import { Database } from '../platform/database/database.js';
import { IsNull, MoreThan } from 'typeorm';
import { Person } from '../auth/people/person.entity.js';
import { DEMO_ACTOR } from './demo-actor.js';
import { STORE } from './demo-load.js';
import { demoProducts, IS_MADE_UP } from './demo-products.js';

export interface RealThings {
  clients: number;
  products: number;
  orders: number;
}

export interface Unloaded {
  /** Products that are not for sale any more. */
  deactivated: number;
  store_suspended: boolean;
}

// SQL, because a made-up catalog may have millions of products, and what is made up is said in one place.

const COUNT_REAL = {
  name: 'demo-count-real',
  text: `
    SELECT (SELECT count(*)::int FROM clients WHERE email <> $3) AS clients,
           (SELECT count(*)::int FROM products p WHERE NOT ${IS_MADE_UP}) AS products,
           (SELECT count(*)::int FROM orders o JOIN clients c ON c.id = o.client_id WHERE c.email <> $3) AS orders`,
};

const WITHDRAW = {
  name: 'demo-withdraw',
  text: `
    WITH withdrawn AS (UPDATE products p SET active = false WHERE p.active AND ${IS_MADE_UP} RETURNING 1)
    SELECT count(*)::int AS deactivated FROM withdrawn`,
};

/** Tells what is made up from what is real, and withdraws it again. */
@Injectable()
export class DemoUnload {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientAdministration,
    private readonly subscriptions: SubscriptionAdministration,
  ) {}

  /** What there is that no demo has made. */
  async realThings(): Promise<RealThings> {
    const values = [...(await demoProducts()), STORE.email];
    const [found] = await this.database.query<RealThings & Record<string, number>>(COUNT_REAL, values);
    return found!;
  }

  /**
   * Nothing is deleted, as no product ever is: what has happened refers to it. The store is suspended and without a subscription, and the
   * next start finds that the demo was there.
   */
  async unload(): Promise<Unloaded> {
    const [products] = await this.database.query<{ deactivated: number }>(WITHDRAW, await demoProducts());
    return { ...products!, store_suspended: await this.closeStore() };
  }

  private async closeStore(): Promise<boolean> {
    const store = await this.database.transaction(async ({ manager }) => {
      const found = await manager.findOneBy(Client, STORE);
      const goesOn =
        found && (await manager.existsBy(Subscription, { clientId: found.id, endsAt: MoreThan(new Date()) }));
      if (found)
        await manager.update(
          Person,
          { clientId: found.id, disabledAt: IsNull() },
          { disabledAt: () => 'now()' },
        );
      return found && { id: found.id, goesOn };
    });
    if (!store) return false;
    await this.clients.suspend(store.id, DEMO_ACTOR);
    if (store.goesOn) await this.subscriptions.end(store.id, DEMO_ACTOR);
    return true;
  }
}
