import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
import { ClientAdministrationService } from '../modules/clients/client-administration.service.js';
import { Client, Subscription } from '../modules/clients/client.entity.js';
import { SubscriptionAdministrationService } from '../modules/clients/subscription-administration.service.js';
import { Seller } from '../modules/invoices/entities/tax-document.entity.js';
import { Person } from '../modules/people/person.entity.js';
import { Database } from '../platform/database/database.js';
import { ADMIN, DEMO_ACTOR, demoProducts, SELLER, STORE } from './demo-store.js';
import { DemoRepository, type RealThings } from './demo.repository.js';

interface UnloadResult {
  /** Products that were taken off sale. */
  deactivated: number;
  store_suspended: boolean;
}

/** Tells samples from real data, and takes the samples out of use. */
@Injectable()
export class DemoUnload {
  constructor(
    private readonly database: Database,
    private readonly samples: DemoRepository,
    private readonly clients: ClientAdministrationService,
    private readonly subscriptions: SubscriptionAdministrationService,
  ) {}

  /** Counts the data that no demo made. */
  async realThings(): Promise<RealThings> {
    return this.samples.countReal(await demoProducts());
  }

  /**
   * Deletes only the seller, because records refer to the rest. By the suspended store the next start knows
   * that the demo was there.
   */
  async unload(): Promise<UnloadResult> {
    const deactivated = await this.samples.withdraw(await demoProducts());
    return { deactivated, store_suspended: await this.closeStore() };
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
