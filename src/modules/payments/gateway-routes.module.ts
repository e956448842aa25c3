import { Module } from '@nestjs/common';
import { PaymentsController } from './gateway.controller.js';
import { PaymentsModule } from './payments.module.js';

/**
 * The routes for events of the payment gateway, and for browsers that return from it. The controller stands
 * in this module, like the stores' controllers in theirs.
 */
@Module({ imports: [PaymentsModule], controllers: [PaymentsController] })
export class GatewayRoutesModule {}
