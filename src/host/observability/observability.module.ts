import { Module } from '@nestjs/common';
import { MailModule } from '../../mail/mail.module.js';
import { OrdersModule } from '../../orders/orders.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { ActivityModule } from '../../activity/activity.module.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
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
      inject: [SETTINGS],
      useFactory: ({ worker }: Settings) => new LogOutput(process.stdout, worker),
    },
    Metrics,
    MetricsServer,
    RequestDurations,
    RequestObserver,
  ],
})
export class ObservabilityModule {}
