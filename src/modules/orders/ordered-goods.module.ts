import { Module } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { AuditModule } from '../audit/audit.module.js';
import { Importer } from '../../shared/imports/importer.service.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { StockFiles } from '../stock/stock-files.service.js';
import { StockHoldings } from '../stock/stock-holdings.repository.js';
import { StockModule } from '../stock/stock.module.js';
import { OrderedGoods, SHIPPED_GOODS } from './ordered-goods.repository.js';
import { AdminProductsController } from './admin/admin-products.controller.js';
import { AdminStockController } from './admin/admin-stock.controller.js';
import { AdminStockFilesController } from './admin/admin-stock-files.controller.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { PlansModule } from '../plans/plans.module.js';

/** Commands on goods that need to know what orders hold and what they shipped. */
@Module({
  imports: [PlansModule, CatalogModule, AuditModule, ImportsModule, StockModule],
  controllers: [AdminProductsController, AdminStockController, AdminStockFilesController],
  providers: [
    OrderedGoods,
    {
      provide: StockFiles,
      inject: [StockHoldings, Importer, AuditLog],
      useFactory: (holdings: StockHoldings, importer: Importer, audit: AuditLog) =>
        new StockFiles(holdings, importer, audit, SHIPPED_GOODS),
    },
  ],
  exports: [OrderedGoods, StockFiles],
})
export class OrderedGoodsModule {}
