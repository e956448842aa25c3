import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { StockModule } from '../stock/stock.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { OrderWriterService } from './actions/order-writer.service.js';
import { AutoPayJobService } from './auto-pay/auto-pay-job.service.js';
import { AutoPaySetting } from './auto-pay/auto-pay.entity.js';
import { AutoPayRepository } from './auto-pay/auto-pay.repository.js';
import { AutoPayService } from './auto-pay/auto-pay.service.js';
import {
  OrderRefund,
  OrderRefundItem,
  OrderReturn,
  OrderReturnItem,
  Parcel,
  ParcelItem,
  PreparedParcel,
} from './entities/after-sale.entity.js';
import {
  ClientUnpaidTotals,
  DomainOrderId,
  OrderItem,
  Order,
  StoreOrderId,
  TimelineEntry,
  OrderCorrection,
  PackingList,
} from './entities/order.entity.js';
import { Payment, PaymentOrder } from './entities/payment.entity.js';
import { LifecycleRepository } from './lifecycle/lifecycle.repository.js';
import { OrderExpiryService } from './lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from './lifecycle/order-lifecycle.service.js';
import { OrdersService } from './orders.service.js';
import { OrderBatchService } from './placing/order-batch.service.js';
import { OrderBodyPipe } from './placing/order-body.pipe.js';
import { OrderPlacementService } from './placing/order-placement.service.js';
import { OrderQuotesService } from './placing/order-quotes.service.js';
import { PlacingRepository } from './placing/placing.repository.js';
import { ClientOrdersService } from './records/client-orders.service.js';
import { ClientOverviewRepository } from './records/client-overview.repository.js';
import { OrderDeskRepository } from './records/order-desk.repository.js';
import { OrderDeskService } from './records/order-desk.service.js';
import { OrderViewRepository } from './records/order-view.repository.js';
import { OrderWarningsService } from './records/order-warnings.service.js';
import { AccountController } from './account.controller.js';
import { AdminClientAccountsController } from './admin/admin-client-accounts.controller.js';
import { AdminEWayBillFileController } from './admin/admin-e-way-bill-file.controller.js';
import { AdminOrdersController } from './admin/admin-orders.controller.js';
import { OrdersController } from './store-orders.controller.js';

@Module({
  imports: [
    RequestLogModule,
    AuditModule,
    ClientsModule,
    InvoicesModule,
    StockModule,
    WalletModule,
    TypeOrmModule.forFeature([
      AutoPaySetting,
      ClientUnpaidTotals,
      DomainOrderId,
      Order,
      OrderCorrection,
      OrderItem,
      OrderRefund,
      OrderRefundItem,
      OrderReturn,
      OrderReturnItem,
      Parcel,
      ParcelItem,
      PreparedParcel,
      PackingList,
      Payment,
      PaymentOrder,
      StoreOrderId,
      TimelineEntry,
    ]),
  ],
  controllers: [
    OrdersController,
    AccountController,
    AdminOrdersController,
    AdminClientAccountsController,
    AdminEWayBillFileController,
  ],
  providers: [
    AutoPayJobService,
    AutoPayRepository,
    AutoPayService,
    ClientOrdersService,
    ClientOverviewRepository,
    LifecycleRepository,
    OrderBatchService,
    OrderBodyPipe,
    OrderDeskRepository,
    OrderDeskService,
    OrderExpiryService,
    OrderLifecycleService,
    OrderPlacementService,
    OrderQuotesService,
    OrderViewRepository,
    OrderWarningsService,
    OrderWriterService,
    OrdersService,
    PlacingRepository,
  ],
  exports: [
    AutoPayService,
    ClientOrdersService,
    LifecycleRepository,
    OrderDeskRepository,
    OrderDeskService,
    OrderLifecycleService,
    OrderWarningsService,
    OrdersService,
  ],
})
export class OrdersModule {}
