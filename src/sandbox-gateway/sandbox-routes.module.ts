import { Module } from '@nestjs/common';
import { RateLimitModule } from '../platform/rate-limit/rate-limiter.js';
import { SandboxApiController } from './api/sandbox-api.controller.js';
import { SandboxCheckoutController } from './checkout/sandbox-checkout.controller.js';
import { SandboxGatewayModule } from './sandbox-gateway.module.js';

/** The sandbox's addresses. They are there only where it is the gateway, and the command line does not load them. */
@Module({
  imports: [RateLimitModule, SandboxGatewayModule],
  controllers: [SandboxApiController, SandboxCheckoutController],
})
export class SandboxRoutesModule {}
