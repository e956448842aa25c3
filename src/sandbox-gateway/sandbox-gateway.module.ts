import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxAccount } from './account/sandbox-account.entity.js';
import { SandboxKeys } from './account/sandbox-keys.js';

/** A payment gateway of our own that speaks Razorpay's protocol, and with which no money moves. */
@Module({
  imports: [TypeOrmModule.forFeature([SandboxAccount])],
  providers: [SandboxKeys],
  exports: [SandboxKeys],
})
export class SandboxGatewayModule {}
