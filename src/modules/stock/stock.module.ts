import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { StockItem, StockMovement } from '../catalog/product.entity.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { StockAdministration } from './stock-administration.service.js';
import { StockHoldings } from './stock-holdings.repository.js';
import { StockService } from './stock.service.js';
import { StockController } from './stock.controller.js';

const SERVICES = [StockAdministration, StockHoldings, StockService];

@Module({
  imports: [AuditModule, CatalogModule, ImportsModule, TypeOrmModule.forFeature([StockItem, StockMovement])],
  controllers: [StockController],
  providers: SERVICES,
  exports: SERVICES,
})
export class StockModule {}
