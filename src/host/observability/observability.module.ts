import { Module } from '@nestjs/common';
import { MailModule } from '../../mail/mail.module.js';
import { OrdersModule } from '../../orders/orders.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { ActivityModule } from '../../activity/activity.module.js';
import { PrimaryLine } from '../../platform/workers/primary-line.js';
import { AccessLog } from './access-log.js';
import { LogOutput } from './log-output.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import { RequestDurations } from './request-durations.js';
import { RequestObserver } from './request-observer.js';

@Module({
  imports: [MailModule, OrdersModule, PaymentsModule, ActivityModule],
  providers: [
    AccessLog,
    {
      provide: LogOutput,
      inject: [{ token: PrimaryLine, optional: true }],
      useFactory: (line?: PrimaryLine) => new LogOutput(process.stdout, line?.worker),
    },
    Metrics,
    MetricsServer,
    RequestDurations,
    RequestObserver,
  ],
})
export class ObservabilityModule {}
