import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { GatewayDoorModule } from '../doors/gateway/gateway-door.module.js';
import { StoreApiModule } from '../doors/store-api/store-api.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Background } from './background.js';
import { HealthModule } from './health/health.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { UnroutedModule } from './unrouted/unrouted.module.js';

/**
 * What makes the product a service: what it does by itself, and what can be seen of it. Express tries
 * the routes in the order of the modules: the store's, which are polled, come first, and what nobody serves comes last.
 */
@Module({
  imports: [
    AuthModule,
    DemoModule,
    OrdersModule,
    PaymentsModule,
    StoreApiModule,
    GatewayDoorModule,
    HealthModule,
    ObservabilityModule,
    UnroutedModule,
  ],
  providers: [Background],
})
export class HostModule {}
