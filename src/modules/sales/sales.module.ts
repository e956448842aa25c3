import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CompanyProfile } from '../company/company-profile.entity.js';
import { ClientsModule } from '../clients/clients.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { SalesSum, SalesSumsKept } from './sales-sum.entity.js';
import { SalesSumsJob } from './sales-sums.job.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';
import { SoldRepository } from './sold.repository.js';
import { BooksService } from './vouchers/books.service.js';
import { LedgerNamesService } from './vouchers/ledger-names.service.js';
import { VouchersRepository } from './vouchers/vouchers.repository.js';
import { VouchersService } from './vouchers/vouchers.service.js';
import { AdminOrderTotalsController } from './admin/admin-order-totals.controller.js';
import { AdminSalesExportController } from './admin/admin-sales-export.controller.js';
import { AdminSalesReportsController } from './admin/admin-sales-reports.controller.js';

@Module({
  imports: [
    ClientsModule,
    InvoicesModule,
    TypeOrmModule.forFeature([CompanyProfile, SalesSum, SalesSumsKept]),
  ],
  controllers: [AdminOrderTotalsController, AdminSalesExportController, AdminSalesReportsController],
  providers: [
    BooksService,
    LedgerNamesService,
    SalesRepository,
    SalesService,
    SalesSumsJob,
    SoldRepository,
    VouchersRepository,
    VouchersService,
  ],
  exports: [BooksService, LedgerNamesService, SalesService, VouchersService],
})
export class SalesModule {}
