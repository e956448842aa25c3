import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AuthModule } from './modules/auth/auth.module.js';
import { ClientsModule } from './modules/clients/clients.module.js';
import { PeopleModule } from './modules/people/people.module.js';
import { CatalogModule } from './modules/catalog/catalog.module.js';
import { InvoicesModule } from './modules/invoices/invoices.module.js';
import { MailModule } from './shared/mail/mail.module.js';
import { NoticesModule } from './modules/notices/notices.module.js';
import { FulfilmentModule } from './modules/fulfilment/fulfilment.module.js';
import { SalesModule } from './modules/sales/sales.module.js';
import { OrderedGoodsModule } from './modules/orders/ordered-goods.module.js';
import { OrdersModule } from './modules/orders/orders.module.js';
import { PaymentsModule } from './modules/payments/payments.module.js';
import { PicturesModule } from './modules/pictures/pictures.module.js';
import { PlansModule } from './modules/plans/plans.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { WorkerThreadsModule } from './platform/worker-threads/worker-threads.js';
import { OwnAddressModule } from './platform/http/own-address.js';
import { SettingsModule, type Settings } from './platform/settings/settings.js';
import { RateLimitModule } from './platform/limits/rate-limiter.js';
import { ReadModelModule } from './read-model/read-model.module.js';
import { TestOrdersModule } from './modules/test-orders/test-orders.module.js';
import { StockModule } from './modules/stock/stock.module.js';
import { RequestLogModule } from './modules/request-log/request-log.module.js';
import { WalletModule } from './modules/wallet/wallet.module.js';

/** The service and the command line are both made of it. Nothing in it starts work by itself. */
@Module({})
export class AppModule {
  /** The entry module adds pages and background work, or the demo alone. */
  static with(settings: Settings, databaseUrl: string, entryModule: Type | DynamicModule): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with({
          ...settings,
          databaseUrl,
          databaseDirectUrl: settings.databaseDirectUrl ?? databaseUrl,
        }),
        OwnAddressModule,
        DatabaseModule.with(settings, databaseUrl),
        WorkerThreadsModule,
        RateLimitModule,
        MailModule,
        ReadModelModule,
        // Express tries the routes in this order, and then those of modules that others import: polls first,
        // totals before the routes of one order.
        StockModule,
        CatalogModule,
        SalesModule,
        OrdersModule,
        OrderedGoodsModule,
        FulfilmentModule,
        TestOrdersModule,
        PicturesModule,
        AuthModule,
        ClientsModule,
        PeopleModule,
        PlansModule,
        RequestLogModule,
        InvoicesModule,
        WalletModule,
        PaymentsModule,
        NoticesModule,
        entryModule,
      ],
    };
  }
}
