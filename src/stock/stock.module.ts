import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { ProductsModule } from '../products/products.module.js';
import { StockAdministration } from './stock-administration.service.js';
import { StockHoldings } from './stock-holdings.repository.js';
import { StockItem } from './stock-item.entity.js';
import { StockMovement } from './stock-movement.entity.js';
import { StockService } from './stock.service.js';

const SERVICES = [StockAdministration, StockHoldings, StockService];

@Module({
  imports: [ImportsModule, ProductsModule, TypeOrmModule.forFeature([StockItem, StockMovement])],
  providers: SERVICES,
  exports: SERVICES,
})
export class StockModule {}
