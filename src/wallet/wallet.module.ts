import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passbook } from './passbook/passbook.js';
import { WalletAdministration } from './wallet-administration.js';
import { WalletBooks } from './wallet-books.js';
import { WalletEntry } from './wallet-entry.entity.js';
import { WalletLedger } from './wallet-ledger.js';
import { Wallet } from './wallet.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Wallet, WalletEntry])],
  providers: [Passbook, WalletAdministration, WalletBooks, WalletLedger],
  exports: [Passbook, WalletAdministration, WalletBooks, WalletLedger],
})
export class WalletModule {}
