import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RequestLogRetention } from '../activity/recording/request-log-retention.js';
import { RequestLog } from '../activity/recording/request-log.js';
import { TokenUses } from '../auth/tokens/token-uses.js';
import { ImportRuns } from '../imports/import-runs.service.js';
import { MailSender } from '../mail/mail-sender.service.js';
import { NoticesJob } from '../notices/notices-job.service.js';
import { SalesSumsJob } from '../orders/desk/sold.repository.js';
import { OrderExpiryService } from '../orders/lifecycle/order-expiry.service.js';
import { AutoPayJobService } from '../orders/auto-pay/auto-pay-job.service.js';
import { ReconcilerService } from '../payments/reconciler.service.js';
import { ScheduledPricesJob } from '../plans/scheduled-prices-job.service.js';
import type { BackgroundJob } from '../platform/background/background-job.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';

/** All background work of a node. The command line uses the same modules and starts none of it. */
@Injectable()
export class Background implements OnApplicationBootstrap {
  /** By their name in the metrics. */
  readonly jobs: Readonly<Record<string, BackgroundJob>>;

  constructor(
    private readonly snapshot: SnapshotService,
    autoPay: AutoPayJobService,
    importRuns: ImportRuns,
    mail: MailSender,
    notices: NoticesJob,
    orderExpiry: OrderExpiryService,
    reconciler: ReconcilerService,
    requestLog: RequestLog,
    requestLogRetention: RequestLogRetention,
    salesSums: SalesSumsJob,
    scheduledPrices: ScheduledPricesJob,
    tokenUses: TokenUses,
  ) {
    this.jobs = {
      auto_pay: autoPay,
      import_runs: importRuns,
      mail,
      notices,
      order_expiry: orderExpiry,
      reconciler,
      request_log: requestLog,
      request_log_retention: requestLogRetention,
      sales_sums: salesSums,
      scheduled_prices: scheduledPrices,
      token_uses: tokenUses,
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.snapshot.start();
    for (const job of Object.values(this.jobs)) job.start();
  }
}
