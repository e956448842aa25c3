import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { OwnAddress } from '../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { type Webhook, webhookHeaders } from './protocol.js';
import { SandboxStore } from './sandbox-store.js';

/** The same limit as Razorpay's. */
const TIMEOUT_MS = 5_000;

/** Ten minutes in all. Razorpay retries for a day. */
const ATTEMPTS = 8;

/** The address that a wholesaler enters at Razorpay. */
const WEBHOOK_PATH = '/payments/webhook';

/**
 * Sends events to the service over HTTP, like a gateway. Sender and receiver are the same service, so unsent
 * events wait in memory.
 */
@Injectable()
export class WebhookSender implements BeforeApplicationShutdown {
  /** The wait before the second attempt. It doubles from attempt to attempt. */
  firstPauseMs = 5_000;
  private readonly logger = new Logger(WebhookSender.name);
  private readonly stopping = new AbortController();
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: SandboxStore,
    private readonly address: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Sends after all earlier events, which keeps their order. A retry does not hold up other events. */
  send(webhooks: Webhook[]): Promise<void> {
    return (this.sending = this.sendAfter(this.sending, webhooks));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.sending;
  }

  private async sendAfter(earlier: Promise<void>, webhooks: Webhook[]): Promise<void> {
    await earlier;
    for (const webhook of webhooks) if (await this.post(webhook)) void this.retry(webhook);
  }

  private async retry(webhook: Webhook): Promise<void> {
    const { signal } = this.stopping;
    let fault: string | undefined;
    for (let retry = 0; retry < ATTEMPTS - 1; retry++) {
      await pause(this.firstPauseMs * 2 ** retry, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      fault = await this.post(webhook);
      if (fault === undefined) return;
    }
    this.logger.warn(
      `The sandbox gave up on the event ${webhook.eventId} after ${ATTEMPTS} attempts: ${fault}`,
    );
  }

  /** Returns the reason of a failure. */
  private async post(webhook: Webhook): Promise<string | undefined> {
    const url = `${this.settings.publicUrl ?? this.address.reachableUrl}${WEBHOOK_PATH}`;
    try {
      const { webhookSecret } = await this.store.keys();
      const response = await fetch(url, {
        method: 'POST',
        headers: webhookHeaders(webhook, webhookSecret),
        body: webhook.body,
        redirect: 'manual',
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      return String(error);
    }
  }
}
