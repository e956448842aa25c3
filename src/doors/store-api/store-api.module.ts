import { Module } from '@nestjs/common';
import { AccountController } from '../../auth/account/account.controller.js';
import { AuthModule } from '../../auth/auth.module.js';
import { CatalogController } from '../../catalog/catalog.controller.js';
import { CatalogModule } from '../../catalog/catalog.module.js';
import { OrdersController } from '../../orders/orders.controller.js';
import { OrdersModule } from '../../orders/orders.module.js';
import { PlanController } from '../../plans/plan.controller.js';
import { PlansModule } from '../../plans/plans.module.js';
import { StockController } from '../../stock/stock.controller.js';
import { StockModule } from '../../stock/stock.module.js';

/**
 * The door of the stores: each subject's own controller. They are hung here and not in the subject's module, so that the command
 * line need not load the half of Nest that only requests need: it would start in 2.1 s instead of 1.3. Express tries the
 * routes in this order, those that are polled first.
 */
@Module({
  imports: [AuthModule, CatalogModule, OrdersModule, PlansModule, StockModule],
  controllers: [StockController, CatalogController, OrdersController, AccountController, PlanController],
})
export class StoreApiModule {}
