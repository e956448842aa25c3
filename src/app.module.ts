import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { DatabaseModule } from './database/database.module.js';
import { ENTITIES } from './entities.js';
import { HealthModule } from './health/health.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PlansModule } from './plans/plans.module.js';
import { SettingsModule } from './settings/settings.module.js';
import type { Settings } from './settings/settings.js';
import { SnapshotModule } from './snapshot/snapshot.module.js';
import { StockModule } from './stock/stock.module.js';
import { UnroutedModule } from './unrouted/unrouted.module.js';

@Module({})
export class AppModule {
  /** Express tries routes in this order: those that are polled come first, what nobody serves comes last. */
  static with(settings: Settings, databaseUrl: string): DynamicModule {
    const options = dataSourceOptions({
      url: databaseUrl,
      poolSize: settings.databasePoolSize,
      timeoutMs: settings.databaseTimeoutMs,
    });
    return {
      module: AppModule,
      imports: [
        SettingsModule.with({ ...settings, databaseUrl }),
        DatabaseModule.with({ ...options, entities: ENTITIES }),
        SnapshotModule,
        StockModule,
        CatalogModule,
        OrdersModule,
        AuthModule,
        PlansModule,
        HealthModule,
        ObservabilityModule,
        UnroutedModule,
      ],
    };
  }
}
