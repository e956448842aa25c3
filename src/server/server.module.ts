import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RequestLogModule } from '../modules/request-log/request-log.module.js';
import { AuthModule } from '../modules/auth/auth.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { DashboardModule } from '../web/dashboard/dashboard.module.js';
import { DeskModule } from '../web/desk/desk.module.js';
import { GatewayRoutesModule } from '../modules/payments/gateway-routes.module.js';
import { GuideModule } from '../api/guide/guide.module.js';
import { ImportsModule } from '../shared/imports/imports.module.js';
import { InvoicesModule } from '../modules/invoices/invoices.module.js';
import { MailModule } from '../shared/mail/mail.module.js';
import { NoticesModule } from '../modules/notices/notices.module.js';
import { OrdersModule } from '../modules/orders/orders.module.js';
import { PagesModule } from '../shared/ui/pages.module.js';
import { PaymentsModule } from '../modules/payments/payments.module.js';
import { PlansModule } from '../modules/plans/plans.module.js';
import type { Settings } from '../platform/settings/settings.js';
import { SandboxRoutesModule } from '../sandbox-gateway/sandbox-gateway.module.js';
import { Background } from './background.js';
import { AccessLog } from './observability/access-log.js';
import { LogOutput } from './observability/log-output.js';
import { LoopWatchdog } from './observability/loop-watchdog.js';
import { MetricsServer } from './observability/metrics-server.js';
import { Metrics } from './observability/metrics.js';
import { RequestObserver, RequestDurations } from './observability/request-observer.js';
import { StatisticsJob } from './statistics-job.service.js';
import { LastRoutesModule } from './unrouted.controller.js';

/** The service: routes, background jobs, logs and metrics. Routes match in the order of the modules. */
@Module({})
export class ServerModule {
  static with({ paymentGateway }: Settings): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        AuthModule,
        DemoModule,
        DiscoveryModule,
        ImportsModule,
        InvoicesModule,
        MailModule,
        NoticesModule,
        OrdersModule,
        PaymentsModule,
        PlansModule,
        GuideModule,
        RequestLogModule,
        DashboardModule,
        DeskModule,
        PagesModule,
        GatewayRoutesModule,
        ...(paymentGateway.name === 'sandbox' ? [SandboxRoutesModule] : []),
        LastRoutesModule,
      ],
      providers: [
        AccessLog,
        Background,
        LoopWatchdog,
        { provide: LogOutput, useFactory: () => new LogOutput() },
        Metrics,
        MetricsServer,
        RequestDurations,
        RequestObserver,
        StatisticsJob,
      ],
    };
  }
}
