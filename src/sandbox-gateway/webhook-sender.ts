import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../platform/background/background-job.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { type Webhook, webhookHeaders } from './protocol.js';
import { SandboxStore } from './sandbox-store.js';

const INTERVAL_MS = 2_000;

/** The same limit as Razorpay's. */
const TIMEOUT_MS = 5_000;

/** The waits are 5 s, 10 s, 20 s and so on: ten minutes in all. Razorpay retries for a day. */
const ATTEMPTS = 8;
const nextAttemptMs = (attempts: number) => 5_000 * 2 ** (attempts - 1);

/** The address that a wholesaler enters at Razorpay. */
const WEBHOOK_PATH = '/payments/webhook';

/** Sends events to the service over HTTP, like a gateway: at least once, but not forever. */
@Injectable()
export class WebhookSender extends BackgroundJob {
  constructor(
    private readonly store: SandboxStore,
    private readonly address: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super(INTERVAL_MS);
  }

  override start(): void {
    if (this.settings.paymentGateway.name === 'sandbox') super.start();
  }

  /** Sends all webhooks that are due. A node sends one at a time, which keeps their order. */
  async run(): Promise<void> {
    while (!this.isStopping && (await this.sendNext()));
  }

  private async sendNext(): Promise<boolean> {
    const webhook = await this.store.takeWebhook(nextAttemptMs);
    if (!webhook) return false;
    const { eventId, orderId, attempts } = webhook;
    const fault = await this.post(webhook);
    if (fault === undefined || attempts >= ATTEMPTS) {
      await this.store.change(orderId, ({ webhooks }) => {
        const at = webhooks.findIndex((one) => one.eventId === eventId);
        if (at >= 0) webhooks.splice(at, 1);
      });
    }
    if (fault !== undefined && attempts >= ATTEMPTS)
      this.logger.warn(`The sandbox gave up on the event ${eventId} after ${ATTEMPTS} attempts: ${fault}`);
    return true;
  }

  /** Returns the reason of a failure. */
  private async post(webhook: Webhook): Promise<string | undefined> {
    const { webhookSecret } = await this.store.keys();
    const url = `${this.settings.publicUrl ?? this.address.reachableUrl}${WEBHOOK_PATH}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: webhookHeaders(webhook, webhookSecret),
        body: webhook.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      return String(error);
    }
  }
}
