import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { Passbook } from './passbook.repository.js';
import { WalletRepository } from './wallet.repository.js';
import { WalletService } from './wallet.service.js';
import { Wallet, WalletEntry } from './wallet.entity.js';

@Module({
  imports: [AuditModule, InvoicesModule, TypeOrmModule.forFeature([Wallet, WalletEntry])],
  providers: [Passbook, WalletRepository, WalletService],
  exports: [Passbook, WalletService],
})
export class WalletModule {}
