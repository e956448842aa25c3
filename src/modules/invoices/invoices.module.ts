import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { PicturesModule } from '../pictures/pictures.module.js';
import { CompanyModule } from '../company/company.module.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { DocumentSeriesService } from './document-series.service.js';
import { EInvoicesService } from './e-invoices.service.js';
import { EWayBillsRepository } from './e-way-bills.repository.js';
import { EWayBillsService } from './e-way-bills.service.js';
import { EWayBill } from './entities/e-way-bill.entity.js';
import {
  Seller,
  TaxDocument,
  TaxDocumentItem,
  DocumentSeries,
  EInvoice,
} from './entities/tax-document.entity.js';
import { FiledReturn } from './entities/filed-return.entity.js';
import { FiledReturnsRepository } from './filed-returns.repository.js';
import { FirmJob } from './firm.job.js';
import { FiledReturnsService } from './filed-returns.service.js';
import { GstReportService } from './gst-report.service.js';
import { InvoicesRepository } from './invoices.repository.js';
import { InvoicingService } from './invoicing.service.js';
import { SellersService } from './sellers.service.js';
import { TaxDocumentsRepository } from './tax-documents.repository.js';
import { TaxDocumentsService } from './tax-documents.service.js';
import { AdminDocumentFilesController } from './admin/admin-document-files.controller.js';
import { AdminDocumentsController } from './admin/admin-documents.controller.js';
import { AdminGstReportController } from './admin/admin-gst-report.controller.js';
import { AdminSellerController } from './admin/admin-seller.controller.js';
import { DocumentsController } from './documents.controller.js';
import { ClientsModule } from '../clients/clients.module.js';

@Module({
  imports: [
    ClientsModule,
    AuditModule,
    CompanyModule,
    ImportsModule,
    PicturesModule,
    TypeOrmModule.forFeature([
      DocumentSeries,
      EInvoice,
      EWayBill,
      FiledReturn,
      Seller,
      TaxDocument,
      TaxDocumentItem,
    ]),
  ],
  controllers: [
    AdminDocumentFilesController,
    AdminDocumentsController,
    AdminGstReportController,
    AdminSellerController,
    DocumentsController,
  ],
  providers: [
    DocumentSeriesService,
    EInvoicesService,
    FiledReturnsRepository,
    FiledReturnsService,
    EWayBillsRepository,
    EWayBillsService,
    FirmJob,
    GstReportService,
    InvoicesRepository,
    InvoicingService,
    SellersService,
    TaxDocumentsRepository,
    TaxDocumentsService,
  ],
  exports: [
    DocumentSeriesService,
    EInvoicesService,
    FiledReturnsService,
    EWayBillsService,
    GstReportService,
    InvoicingService,
    SellersService,
    TaxDocumentsService,
  ],
})
export class InvoicesModule {}
