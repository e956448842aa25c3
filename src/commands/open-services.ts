import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { CatalogFiles } from '../catalog/catalog-files.js';
import { ClientAdministration } from '../clients/client-administration.js';
import { SubscriptionAdministration } from '../clients/subscription-administration.js';
import { TokenAdministration } from '../clients/token-administration.js';
import { SyntheticLoad } from '../demo/synthetic-load.js';
import { OrderDesk } from '../orders/desk/order-desk.js';
import { ShipmentFiles } from '../orders/desk/shipment-files.js';
import { PlanAdministration } from '../plans/plan-administration.js';
import { PriceFiles } from '../plans/price-files.js';
import { readSettings } from '../settings/read-settings.js';
import { StockFiles } from '../stock/stock-files.js';
import { StockReceipts } from '../stock/stock-receipts.js';
import { CommandsModule } from './commands.module.js';
import { openDatabase } from './open-database.js';
import type { Services } from './services.js';

export interface OpenServices {
  services: Services;
  close(): Promise<void>;
}

/** Loaded only when a command really runs: help and wrong usage are answered without a framework or a database. */
export async function openServices(): Promise<OpenServices> {
  const settings = readSettings(process.env);
  const database = await openDatabase(settings);
  try {
    const module = CommandsModule.with(settings, database.url);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    return {
      services: {
        catalogFiles: app.get(CatalogFiles),
        clients: app.get(ClientAdministration),
        demo: app.get(SyntheticLoad),
        orders: app.get(OrderDesk),
        plans: app.get(PlanAdministration),
        priceFiles: app.get(PriceFiles),
        shipmentFiles: app.get(ShipmentFiles),
        stockFiles: app.get(StockFiles),
        stockReceipts: app.get(StockReceipts),
        subscriptions: app.get(SubscriptionAdministration),
        tokens: app.get(TokenAdministration),
      },
      close: async () => {
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
