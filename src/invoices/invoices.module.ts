import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DocumentSeries } from './entities/document-series.entity.js';
import { Seller } from './entities/seller.entity.js';
import { TaxDocument, TaxDocumentItem } from './entities/tax-document.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([DocumentSeries, Seller, TaxDocument, TaxDocumentItem])],
  providers: [],
  exports: [],
})
export class InvoicesModule {}
