import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { DashboardDoorModule } from '../doors/dashboard/dashboard-door.module.js';
import { GatewayDoorModule } from '../doors/gateway/gateway-door.module.js';
import { StoreApiModule } from '../doors/store-api/store-api.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PagesModule } from '../pages/pages.module.js';
import type { Settings } from '../platform/settings/settings.js';
import { SandboxGatewayModule } from '../sandbox-gateway/sandbox-gateway.module.js';
import { SandboxRoutesModule } from '../sandbox-gateway/sandbox-routes.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { Background } from './background.js';
import { HealthModule } from './health/health.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { UnroutedModule } from './unrouted/unrouted.module.js';

/**
 * What makes the product a service: what it does by itself, and what can be seen of it. Express tries
 * the routes in the order of the modules: the store's, which are polled, come first, and what nobody serves comes last.
 */
@Module({})
export class HostModule {
  static with({ paymentGateway }: Settings): DynamicModule {
    return {
      module: HostModule,
      imports: [
        AuthModule,
        DemoModule,
        MailModule,
        OrdersModule,
        PaymentsModule,
        SandboxGatewayModule,
        StoreApiModule,
        ActivityModule,
        DashboardDoorModule,
        PagesModule,
        GatewayDoorModule,
        ...(paymentGateway.name === 'sandbox' ? [SandboxRoutesModule] : []),
        HealthModule,
        ObservabilityModule,
        UnroutedModule,
      ],
      providers: [Background],
    };
  }
}
