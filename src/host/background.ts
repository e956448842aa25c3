import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TokenUses } from '../auth/tokens/token-uses.js';
import { MailSender } from '../mail/mail-sender.js';
import { AutoPayJobService } from '../orders/auto-pay/auto-pay-job.service.js';
import { OrderExpiryService } from '../orders/lifecycle/order-expiry.service.js';
import { ReconcilerService } from '../payments/reconciler.service.js';
import { WebhookSender } from '../sandbox-gateway/webhooks/webhook-sender.js';
import { RequestLogRetention } from '../activity/recording/request-log-retention.js';
import { RequestLog } from '../activity/recording/request-log.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';

/** What a node does without being asked. The command line, made of the same modules, starts none of it. Each stops by itself. */
@Injectable()
export class Background implements OnApplicationBootstrap {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly expiry: OrderExpiryService,
    private readonly autoPay: AutoPayJobService,
    private readonly reconciler: ReconcilerService,
    private readonly tokenUses: TokenUses,
    private readonly requestLog: RequestLog,
    private readonly requestLogRetention: RequestLogRetention,
    private readonly sandboxWebhooks: WebhookSender,
    private readonly mailSender: MailSender,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.snapshot.start();
    this.expiry.start();
    this.autoPay.start();
    this.reconciler.start();
    this.tokenUses.start();
    this.requestLog.start();
    this.requestLogRetention.start();
    this.sandboxWebhooks.start();
    this.mailSender.start();
  }
}
