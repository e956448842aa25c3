import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { LifecycleRepository } from '../orders/lifecycle/lifecycle.repository.js';
import { OrderedGoodsModule } from '../orders/ordered-goods.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { StockModule } from '../stock/stock.module.js';
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
    ActivityModule,
  ],
  controllers: [DemoPictures],
  providers: [
    DemoLoad,
    DemoHistory,
    DemoRepository,
    LifecycleRepository,
    DemoRequests,
    DemoUnload,
    SyntheticLoad,
  ],
  exports: [DemoLoad, DemoUnload, SyntheticLoad],
})
export class DemoModule {}
