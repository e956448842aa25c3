import { Module } from '@nestjs/common';
import { PaymentsController } from './gateway.controller.js';
import { PaymentsModule } from './payments.module.js';

/**
 * The door of the payment gateway, and of those who come back from it. Hung here for the same reason as the
 * stores' controllers.
 */
@Module({ imports: [PaymentsModule], controllers: [PaymentsController] })
export class GatewayDoorModule {}
