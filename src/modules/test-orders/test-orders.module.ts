import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SampleDocuments } from '../invoices/sample-documents.js';
import { OrdersModule } from '../orders/orders.module.js';
import { TestOrders } from '../orders/store-orders.js';
import { TestOrder } from './test-order.entity.js';
import { TestOrdersRepository } from './test-orders.repository.js';
import { TestOrdersRetention } from './test-orders-retention.js';
import { TestOrdersService } from './test-orders.service.js';
import { TestOrdersController } from './test-orders.controller.js';

/** The orders that stores place with test tokens, in a table of their own. */
/** Global: the stores' controllers of orders and documents ask it when a test token asks them. */
@Global()
@Module({
  imports: [OrdersModule, TypeOrmModule.forFeature([TestOrder])],
  controllers: [TestOrdersController],
  providers: [
    TestOrdersRepository,
    TestOrdersRetention,
    TestOrdersService,
    { provide: TestOrders, useExisting: TestOrdersService },
    { provide: SampleDocuments, useExisting: TestOrdersService },
  ],
  exports: [SampleDocuments, TestOrders, TestOrdersService],
})
export class TestOrdersModule {}
