import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { StockHoldings } from './stock-holdings.js';
import { StockItem } from './stock-item.entity.js';
import { StockLookUps } from './stock-look-ups.js';
import { StockMovement } from './stock-movement.entity.js';
import { StockReceipts } from './stock-receipts.js';
import { StockService } from './stock.service.js';

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([StockItem, StockMovement])],
  providers: [StockHoldings, StockLookUps, StockReceipts, StockService],
  exports: [StockHoldings, StockLookUps, StockReceipts, StockService],
})
export class StockModule {}
