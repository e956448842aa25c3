import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passbook } from './passbook/passbook.js';
import { WalletAdministration } from './wallet-administration.js';
import { WalletEntry } from './wallet-entry.entity.js';
import { WalletLedger } from './wallet-ledger.js';
import { Wallet } from './wallet.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Wallet, WalletEntry])],
  providers: [Passbook, WalletAdministration, WalletLedger],
  exports: [Passbook, WalletAdministration, WalletLedger],
})
export class WalletModule {}
