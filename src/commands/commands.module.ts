import { type DynamicModule, Module } from '@nestjs/common';
import { CatalogFiles } from '../catalog/catalog-files.js';
import { ClientAdministration } from '../clients/client-administration.js';
import { SubscriptionAdministration } from '../clients/subscription-administration.js';
import { TokenAdministration } from '../clients/token-administration.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { DatabaseModule } from '../database/database.module.js';
import { SyntheticLoad } from '../demo/synthetic-load.js';
import { Importer } from '../imports/importer.js';
import { LifecycleRepository } from '../orders/moving/lifecycle.repository.js';
import { OrderDesk } from '../orders/desk/order-desk.js';
import { OrderDeskRepository } from '../orders/desk/order-desk.repository.js';
import { OrderLifecycle } from '../orders/moving/order-lifecycle.js';
import { ShipmentFiles } from '../orders/desk/shipment-files.js';
import { PlanAdministration } from '../plans/plan-administration.js';
import { PriceFiles } from '../plans/price-files.js';
import { SettingsModule } from '../settings/settings.module.js';
import type { Settings } from '../settings/settings.js';
import { StockFiles } from '../stock/stock-files.js';
import { StockHoldings } from '../stock/stock-holdings.js';
import { StockReceipts } from '../stock/stock-receipts.js';

/** An import keeps one connection, and its report or an order it ships may need another. */
const POOL_SIZE = 3;

/** The deadline of a request does not suit a person's command, nor an import that is done wholly or not at all. */
const TRANSACTION_TIMEOUT_MS = 3_600_000;

/** The part of the service that commands need: no HTTP, no snapshot, no background work. */
@Module({})
export class CommandsModule {
  static with(settings: Settings, databaseUrl: string): DynamicModule {
    return {
      module: CommandsModule,
      imports: [
        SettingsModule.with({ ...settings, databaseUrl, databaseTimeoutMs: TRANSACTION_TIMEOUT_MS }),
        DatabaseModule.with(dataSourceOptions({ url: databaseUrl, poolSize: POOL_SIZE })),
      ],
      providers: [
        CatalogFiles,
        ClientAdministration,
        Importer,
        LifecycleRepository,
        OrderDesk,
        OrderDeskRepository,
        OrderLifecycle,
        PlanAdministration,
        PriceFiles,
        ShipmentFiles,
        StockFiles,
        StockHoldings,
        StockReceipts,
        SubscriptionAdministration,
        SyntheticLoad,
        TokenAdministration,
      ],
    };
  }
}
