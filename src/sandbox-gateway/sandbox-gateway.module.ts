import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxAccount } from './account/sandbox-account.entity.js';
import { SandboxKeys } from './account/sandbox-keys.js';
import { SandboxOrders } from './api/sandbox-orders.js';
import { SandboxRefunds } from './api/sandbox-refunds.js';
import { SandboxCheckouts } from './checkout/sandbox-checkouts.js';
import { SandboxOrder } from './entities/sandbox-order.entity.js';
import { SandboxPayment } from './entities/sandbox-payment.entity.js';
import { SandboxRefund } from './entities/sandbox-refund.entity.js';
import { SandboxWebhook } from './entities/sandbox-webhook.entity.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

/** A payment gateway of our own that speaks Razorpay's protocol, and with which no money moves. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SandboxAccount, SandboxOrder, SandboxPayment, SandboxRefund, SandboxWebhook]),
  ],
  providers: [SandboxCheckouts, SandboxKeys, SandboxOrders, SandboxRefunds, WebhookSender],
  exports: [SandboxCheckouts, SandboxKeys, SandboxOrders, SandboxRefunds, WebhookSender],
})
export class SandboxGatewayModule {}
