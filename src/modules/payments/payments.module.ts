import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { CompanyModule } from '../company/company.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { Payment, PaymentOrder } from '../orders/entities/payment.entity.js';
import { OrdersModule } from '../orders/orders.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { BankTransfersService } from './bank-transfers.service.js';
import { ClientPaymentsService } from './client-payments.service.js';
import { DueChecksRepository } from './due-checks.repository.js';
import { BankTransfer } from './entities/bank-transfer.entity.js';
import { GatewayEventRecord, GatewayRefundRecord } from './entities/gateway.entity.js';
import { GatewayMessagesService } from './gateway-messages.service.js';
import { GatewayRefundsService } from './gateway-refunds.service.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { PaymentDeskService } from './payment-desk.service.js';
import { PaymentHistory } from './payment-history.repository.js';
import { PaymentsRepository } from './payments.repository.js';
import { ReconcilerService } from './reconciler.service.js';
import { SettlementService } from './settlement.service.js';
import { StatementsService } from './statements.service.js';
import { TestMoneyService } from './test-money.service.js';
import { TransferListRepository } from './transfer-list.repository.js';
import { WalletBooks } from './wallet-books.repository.js';
import { AdminPaymentsController } from './admin/admin-payments.controller.js';
import { AdminTransfersController } from './admin/admin-transfers.controller.js';
import { AdminWalletReportsController } from './admin/admin-wallet-reports.controller.js';
import { AdminWalletsController } from './admin/admin-wallets.controller.js';

@Module({
  imports: [
    AuditModule,
    ClientsModule,
    GatewayModule,
    CompanyModule,
    InvoicesModule,
    OrdersModule,
    WalletModule,
    TypeOrmModule.forFeature([BankTransfer, GatewayEventRecord, GatewayRefundRecord, Payment, PaymentOrder]),
  ],
  controllers: [
    AdminPaymentsController,
    AdminTransfersController,
    AdminWalletReportsController,
    AdminWalletsController,
  ],
  providers: [
    BankTransfersService,
    PaymentHistory,
    ClientPaymentsService,
    DueChecksRepository,
    GatewayMessagesService,
    GatewayRefundsService,
    PaymentDeskService,
    PaymentsRepository,
    ReconcilerService,
    SettlementService,
    StatementsService,
    TestMoneyService,
    TransferListRepository,
    WalletBooks,
  ],
  exports: [
    BankTransfersService,
    PaymentHistory,
    ClientPaymentsService,
    GatewayMessagesService,
    PaymentDeskService,
    StatementsService,
    TestMoneyService,
    WalletBooks,
  ],
})
export class PaymentsModule {}
