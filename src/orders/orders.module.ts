import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityModule } from '../activity/activity.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { Importer } from '../imports/importer.js';
import { Database } from '../platform/database/database.js';
import { StockFiles } from '../stock/files/stock-files.js';
import { StockModule } from '../stock/stock.module.js';
import { ClientOrders } from './view/client-orders.service.js';
import { ClientOverview } from './browsing/client-overview.js';
import { OrderDesk } from './desk/order-desk.service.js';
import { OrderDeskRepository } from './desk/order-desk.repository.js';
import { ParcelFiles } from './desk/parcel-files.service.js';
import { OrderCorrections } from './corrections/order-corrections.service.js';
import { ClientStanding } from './entities/client-standing.entity.js';
import { OrderCorrection } from './entities/order-correction.entity.js';
import { OrderItem } from './entities/order-item.entity.js';
import { Order } from './entities/order.entity.js';
import { PaymentOrder } from './entities/payment-order.entity.js';
import { Payment } from './entities/payment.entity.js';
import { StoreOrderId } from './entities/store-order-id.entity.js';
import { TimelineEntry } from './entities/timeline-entry.entity.js';
import { LifecycleRepository } from './lifecycle/lifecycle.repository.js';
import { OrderExpiry } from './lifecycle/order-expiry.service.js';
import { OrderLifecycle } from './lifecycle/order-lifecycle.service.js';
import { OrderedGoods, SHIPPED_GOODS } from './ordered-goods.service.js';
import { OrdersService } from './orders.service.js';
import { AutoPayAdministration } from './paying/auto-pay-administration.js';
import { AutoPaySetting } from './paying/auto-pay.entity.js';
import { AutoPay } from './paying/auto-pay.js';
import { ClientAutoPay } from './paying/client-auto-pay.js';
import { OrderPayments } from './paying/order-payments.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { CurrentRights } from './placing/current-rights.js';
import { OffersRepository } from './placing/offers.repository.js';
import { OrderPlacement } from './placing/order-placement.js';
import { OrderQuotes } from './placing/order-quotes.js';
import { BatchPlacement } from './placing/batches/batch-placement.js';
import { OrderBatches } from './placing/batches/order-batches.js';
import { OrderFacts } from './placing/batches/order-facts.js';
import { ClaimsRepository } from './placing/claims.repository.js';
import { NewOrdersRepository } from './placing/new-orders.repository.js';
import { RightsRepository } from './placing/rights.repository.js';
import { StandingRepository } from './placing/standing.repository.js';
import { UnpaidOverview } from './placing/unpaid-overview.js';
import { UnpaidWatch } from './placing/unpaid-watch.js';
import { OrderCounts } from './view/order-counts.service.js';
import { OrderPolling } from './store/order-polling.service.js';
import { OrderViewRepository } from './view/order-view.repository.js';
import { OrderLookUps } from './view/order-look-ups.js';

@Module({
  imports: [
    ActivityModule,
    AuditModule,
    AuthModule,
    ImportsModule,
    StockModule,
    WalletModule,
    TypeOrmModule.forFeature([
      AutoPaySetting,
      ClientStanding,
      Order,
      OrderCorrection,
      OrderItem,
      Payment,
      PaymentOrder,
      StoreOrderId,
      TimelineEntry,
    ]),
  ],
  providers: [
    AutoPay,
    AutoPayAdministration,
    BatchPlacement,
    ClaimsRepository,
    ClientAutoPay,
    ClientOrders,
    ClientOverview,
    CurrentRights,
    LifecycleRepository,
    NewOrdersRepository,
    OffersRepository,
    OrderBatches,
    OrderCorrections,
    OrderCounts,
    OrderDesk,
    OrderDeskRepository,
    OrderExpiry,
    OrderFacts,
    OrderLifecycle,
    OrderLookUps,
    OrderPayments,
    OrderPlacement,
    OrderedGoods,
    OrderPolling,
    OrderQuotes,
    OrderViewRepository,
    OrdersService,
    ParcelFiles,
    RightsRepository,
    StandingRepository,
    {
      provide: StockFiles,
      inject: [Database, Importer],
      useFactory: (database: Database, importer: Importer) =>
        new StockFiles(database, importer, SHIPPED_GOODS),
    },
    UnpaidOverview,
    UnpaidWatch,
  ],
  exports: [
    AutoPay,
    AutoPayAdministration,
    ClientAutoPay,
    ClientOrders,
    ClientOverview,
    LifecycleRepository,
    OrderBatches,
    OrderCounts,
    OrderDesk,
    OrderExpiry,
    OrderLifecycle,
    OrderPayments,
    OrderPolling,
    OrderQuotes,
    OrderedGoods,
    OrdersService,
    ParcelFiles,
    StockFiles,
    UnpaidOverview,
  ],
})
export class OrdersModule {}
