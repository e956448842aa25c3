import { Module } from '@nestjs/common';
import { StockController } from './stock.controller.js';
import { StockHoldings } from './stock-holdings.js';
import { StockService } from './stock.service.js';

@Module({
  controllers: [StockController],
  providers: [StockHoldings, StockService],
  exports: [StockHoldings],
})
export class StockModule {}
