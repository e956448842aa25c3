import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { StockModule } from '../stock/stock.module.js';
import { SyntheticLoad } from './synthetic-load.js';

@Module({ imports: [CatalogModule, StockModule], providers: [SyntheticLoad], exports: [SyntheticLoad] })
export class DemoModule {}
