import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { StockModule } from '../stock/stock.module.js';
import { LifecycleRepository } from './lifecycle.repository.js';
import { OffersRepository } from './offers.repository.js';
import { OrderExpiry } from './order-expiry.js';
import { OrderLifecycle } from './order-lifecycle.js';
import { OrderListRepository } from './order-list.repository.js';
import { OrderPlacement } from './order-placement.js';
import { OrderPolling } from './order-polling.js';
import { OrderQuotes } from './order-quotes.js';
import { OrderReadsRepository } from './order-reads.repository.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { RefusedOrders } from './refused-orders.js';

@Module({
  imports: [CatalogModule, StockModule],
  controllers: [OrdersController],
  providers: [
    LifecycleRepository,
    OffersRepository,
    OrderExpiry,
    OrderLifecycle,
    OrderListRepository,
    OrderPlacement,
    OrderPolling,
    OrderQuotes,
    OrderReadsRepository,
    OrdersRepository,
    OrdersService,
    RefusedOrders,
  ],
  exports: [OrderExpiry, OrderLifecycle],
})
export class OrdersModule {}
