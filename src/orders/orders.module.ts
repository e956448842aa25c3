import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { StockModule } from '../stock/stock.module.js';
import { LifecycleRepository } from './moving/lifecycle.repository.js';
import { OffersRepository } from './placing/offers.repository.js';
import { OrderExpiry } from './moving/order-expiry.js';
import { OrderLifecycle } from './moving/order-lifecycle.js';
import { OrderListRepository } from './following/order-list.repository.js';
import { OrderPlacement } from './placing/order-placement.js';
import { OrderPolling } from './following/order-polling.js';
import { OrderQuotes } from './placing/order-quotes.js';
import { OrderReadsRepository } from './following/order-reads.repository.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './placing/orders.repository.js';
import { OrdersService } from './orders.service.js';
import { RefusedOrders } from './placing/refused-orders.js';

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
