import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { StockController } from './stock.controller.js';
import { StockHoldings } from './stock-holdings.js';
import { StockService } from './stock.service.js';

@Module({
  imports: [CatalogModule],
  controllers: [StockController],
  providers: [StockHoldings, StockService],
  exports: [StockHoldings],
})
export class StockModule {}
