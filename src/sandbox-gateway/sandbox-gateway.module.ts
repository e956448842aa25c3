import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxApiController } from './sandbox-api.controller.js';
import { SandboxCheckoutController } from './sandbox-checkout.controller.js';
import { SandboxRow, SandboxStore } from './sandbox-store.js';
import { WebhookSender } from './webhook-sender.js';

/** A payment gateway for development. It speaks Razorpay's protocol and moves no money. */
@Module({
  imports: [TypeOrmModule.forFeature([SandboxRow])],
  providers: [SandboxStore],
  exports: [SandboxStore],
})
export class SandboxGatewayModule {}

/** The addresses of the sandbox, for a service whose gateway it is. */
@Module({
  imports: [SandboxGatewayModule],
  providers: [WebhookSender],
  controllers: [SandboxApiController, SandboxCheckoutController],
})
export class SandboxRoutesModule {}
