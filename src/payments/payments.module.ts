import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { PaymentOrder } from '../orders/entities/payment-order.entity.js';
import { Payment } from '../orders/entities/payment.entity.js';
import { OrdersModule } from '../orders/orders.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { ClientPayments } from './client-payments.js';
import { PaymentDesk } from './desk/payment-desk.js';
import { BankTransfer } from './entities/bank-transfer.entity.js';
import { GatewayEventRecord } from './entities/gateway-event.entity.js';
import { GatewayRefundRecord } from './entities/gateway-refund.entity.js';
import { GatewayEvents } from './gateway-events.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { PaymentLookUps } from './payment-look-ups.js';
import { PaymentsRepository } from './payments.repository.js';
import { RecentPayments } from './recent-payments.js';
import { GatewayRefunds } from './refunds/gateway-refunds.js';
import { DueChecks } from './settling/due-checks.js';
import { PaymentCheck } from './settling/payment-check.js';
import { PaymentCounts } from './settling/payment-counts.js';
import { Reconciler } from './settling/reconciler.js';
import { Settlement } from './settling/settlement.js';
import { TestMoney } from './test-money.js';
import { BankTransfers } from './transfers/bank-transfers.js';
import { ClientTransfers } from './transfers/client-transfers.js';
import { WalletBooks } from './wallet-books.js';

@Module({
  imports: [
    AuditModule,
    GatewayModule,
    OrdersModule,
    WalletModule,
    TypeOrmModule.forFeature([BankTransfer, GatewayEventRecord, GatewayRefundRecord, Payment, PaymentOrder]),
  ],
  providers: [
    BankTransfers,
    ClientPayments,
    ClientTransfers,
    DueChecks,
    GatewayEvents,
    GatewayRefunds,
    PaymentCheck,
    PaymentCounts,
    PaymentDesk,
    PaymentLookUps,
    PaymentsRepository,
    RecentPayments,
    Reconciler,
    Settlement,
    TestMoney,
    WalletBooks,
  ],
  exports: [
    BankTransfers,
    ClientPayments,
    ClientTransfers,
    GatewayEvents,
    GatewayModule,
    PaymentCounts,
    PaymentDesk,
    PaymentLookUps,
    PaymentsRepository,
    RecentPayments,
    Reconciler,
    Settlement,
    TestMoney,
    WalletBooks,
  ],
})
export class PaymentsModule {}
