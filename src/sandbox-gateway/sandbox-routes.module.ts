import { Module } from '@nestjs/common';
import { SandboxApiController } from './api/sandbox-api.controller.js';
import { SandboxCheckoutController } from './checkout/sandbox-checkout.controller.js';
import { SandboxGatewayModule } from './sandbox-gateway.module.js';

/** The sandbox's addresses. They are there only where it is the gateway, and the command line does not load them. */
@Module({
  imports: [SandboxGatewayModule],
  controllers: [SandboxApiController, SandboxCheckoutController],
})
export class SandboxRoutesModule {}
