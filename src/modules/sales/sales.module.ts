import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CompanyProfile } from '../company/company-profile.entity.js';
import { ClientsModule } from '../clients/clients.module.js';
import { SalesSum, SalesSumsKept } from './sales-sum.entity.js';
import { SalesSumsJob } from './sales-sums.job.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';
import { SoldRepository } from './sold.repository.js';
import { LedgerNamesService } from './vouchers/ledger-names.service.js';
import { VouchersRepository } from './vouchers/vouchers.repository.js';
import { VouchersService } from './vouchers/vouchers.service.js';

@Module({
  imports: [ClientsModule, TypeOrmModule.forFeature([CompanyProfile, SalesSum, SalesSumsKept])],
  providers: [
    LedgerNamesService,
    SalesRepository,
    SalesService,
    SalesSumsJob,
    SoldRepository,
    VouchersRepository,
    VouchersService,
  ],
  exports: [LedgerNamesService, SalesService, VouchersService],
})
export class SalesModule {}
