import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityModule } from '../activity/activity.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { StockModule } from '../stock/stock.module.js';
import { ClientOrdersService } from './view/client-orders.service.js';
import { OrderDeskService } from './desk/order-desk.service.js';
import { SalesSumsJob, SoldRepository } from './desk/sold.repository.js';
import { OrderDeskRepository } from './desk/order-desk.repository.js';
import { ParcelFilesService } from './desk/parcel-files.service.js';
import { OrderCorrectionsService } from './lifecycle/order-corrections.service.js';
import { ClientUnpaidTotals } from './entities/client-unpaid-totals.entity.js';
import { SalesSum, SalesSumsKept } from './entities/sales-sum.entity.js';
import { OrderCorrection } from './entities/order-correction.entity.js';
import { OrderItem } from './entities/order-item.entity.js';
import { OrderRefund, OrderRefundItem } from './entities/order-refund.entity.js';
import { OrderReturn, OrderReturnItem } from './entities/order-return.entity.js';
import { Order } from './entities/order.entity.js';
import { Parcel, ParcelItem } from './entities/parcel.entity.js';
import { PaymentOrder } from './entities/payment-order.entity.js';
import { Payment } from './entities/payment.entity.js';
import { StoreOrderId } from './entities/store-order-id.entity.js';
import { TimelineEntry } from './entities/timeline-entry.entity.js';
import { PackingList } from './packing/packing-list.entity.js';
import { PackingRepository } from './packing/packing.repository.js';
import { PackingService } from './packing/packing.service.js';
import { LifecycleRepository } from './lifecycle/lifecycle.repository.js';
import { OrderExpiryService } from './lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from './lifecycle/order-lifecycle.service.js';
import { OrderReturnsService } from './returns/order-returns.service.js';
import { OrdersService } from './orders.service.js';
import { AutoPayService } from './auto-pay/auto-pay.service.js';
import { AutoPaySetting } from './auto-pay/auto-pay.entity.js';
import { AutoPayJobService } from './auto-pay/auto-pay-job.service.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { OffersRepository } from './placing/offers.repository.js';
import { OrderPlacementService } from './placing/order-placement.service.js';
import { OrderQuotesService } from './placing/order-quotes.service.js';
import { BatchPlacementService } from './placing/batches/batch-placement.service.js';
import { OrderBatchesService } from './placing/batches/order-batches.service.js';
import { OrderFactsService } from './placing/batches/order-facts.service.js';
import { ClaimsRepository } from './placing/claims.repository.js';
import { NewOrdersRepository } from './placing/new-orders.repository.js';
import { RightsRepository } from './placing/rights.repository.js';
import { UnpaidTotalsRepository } from './placing/unpaid-totals.repository.js';
import { UnpaidWatchService } from './placing/unpaid-watch.service.js';
import { OrderViewRepository } from './view/order-view.repository.js';
import { OrderLookUpsService } from './view/order-look-ups.service.js';

@Module({
  imports: [
    ActivityModule,
    AuditModule,
    AuthModule,
    ImportsModule,
    InvoicesModule,
    StockModule,
    WalletModule,
    TypeOrmModule.forFeature([
      AutoPaySetting,
      ClientUnpaidTotals,
      Order,
      OrderCorrection,
      OrderItem,
      OrderRefund,
      OrderRefundItem,
      OrderReturn,
      OrderReturnItem,
      Parcel,
      ParcelItem,
      PackingList,
      Payment,
      PaymentOrder,
      SalesSum,
      SalesSumsKept,
      StoreOrderId,
      TimelineEntry,
    ]),
  ],
  providers: [
    AutoPayJobService,
    AutoPayService,
    BatchPlacementService,
    ClaimsRepository,
    ClientOrdersService,
    LifecycleRepository,
    NewOrdersRepository,
    OffersRepository,
    OrderBatchesService,
    OrderCorrectionsService,
    OrderDeskRepository,
    OrderDeskService,
    OrderExpiryService,
    OrderFactsService,
    OrderLifecycleService,
    OrderLookUpsService,
    OrderPlacementService,
    OrderQuotesService,
    OrderReturnsService,
    OrderViewRepository,
    OrdersService,
    PackingRepository,
    PackingService,
    ParcelFilesService,
    RightsRepository,
    SalesSumsJob,
    SoldRepository,
    UnpaidTotalsRepository,
    UnpaidWatchService,
  ],
  exports: [
    AutoPayJobService,
    AutoPayService,
    ClientOrdersService,
    OrderDeskService,
    OrderExpiryService,
    OrderLifecycleService,
    OrderReturnsService,
    OrdersService,
    PackingService,
    ParcelFilesService,
    SalesSumsJob,
  ],
})
export class OrdersModule {}
