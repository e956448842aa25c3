import { Module } from '@nestjs/common';
import { AuthModule } from '../modules/auth/auth.module.js';
import { ClientsModule } from '../modules/clients/clients.module.js';
import { CatalogModule } from '../modules/catalog/catalog.module.js';
import { InvoicesModule } from '../modules/invoices/invoices.module.js';
import { LifecycleRepository } from '../modules/orders/lifecycle/lifecycle.repository.js';
import { PlacingRepository } from '../modules/orders/placing/placing.repository.js';
import { OrderedGoodsModule } from '../modules/orders/ordered-goods.module.js';
import { OrdersModule } from '../modules/orders/orders.module.js';
import { PaymentsModule } from '../modules/payments/payments.module.js';
import { PlansModule } from '../modules/plans/plans.module.js';
import { WalletModule } from '../modules/wallet/wallet.module.js';
import { RequestLogModule } from '../modules/request-log/request-log.module.js';
import { StockModule } from '../modules/stock/stock.module.js';
import { DemoLoad } from './demo-load.service.js';
import { DemoHistory } from './demo-history.service.js';
import { DemoPictures } from './demo-pictures.controller.js';
import { DemoRepository } from './demo.repository.js';
import { DemoRequests } from './demo-requests.service.js';
import { DemoUnload } from './demo-unload.service.js';
import { SyntheticLoad } from './synthetic-load.service.js';

@Module({
  imports: [
    AuthModule,
    ClientsModule,
    CatalogModule,
    InvoicesModule,
    OrderedGoodsModule,
    OrdersModule,
    PaymentsModule,
    PlansModule,
    StockModule,
    RequestLogModule,
    WalletModule,
  ],
  controllers: [DemoPictures],
  providers: [
    DemoLoad,
    DemoHistory,
    DemoRepository,
    LifecycleRepository,
    PlacingRepository,
    DemoRequests,
    DemoUnload,
    SyntheticLoad,
  ],
  exports: [DemoLoad, DemoUnload, SyntheticLoad],
})
export class DemoModule {}
