import { Module } from '@nestjs/common';
import { StockHoldings } from './stock-holdings.js';

@Module({ providers: [StockHoldings], exports: [StockHoldings] })
export class StockModule {}
