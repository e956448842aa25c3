import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { BackgroundJob } from '../../platform/background/background-job.js';
import { Database } from '../../platform/database/database.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { SandboxKeys } from '../account/sandbox-keys.js';
import { SandboxWebhook } from '../entities/sandbox-webhook.entity.js';
import type { SandboxEvent } from './events.js';

const INTERVAL_MS = 2_000;

/** As long as Razorpay waits. */
const TIMEOUT_MS = 5_000;

/** At 5 s, 10 s, 20 s … after one another: ten minutes in all, where Razorpay goes on for a day. */
const ATTEMPTS = 8;

/** Where the wholesaler tells Razorpay to send them. */
const WEBHOOK_PATH = '/payments/webhook';

/**
 * Raw, because it takes one that no other node has taken, and gives it back if this one is gone, in one statement. In the order in which
 * they were written, as far as they are due.
 */
const TAKE = {
  name: 'sandbox-webhook-take',
  text: `
    UPDATE sandbox_webhooks
       SET attempts = attempts + 1, due_at = now() + interval '5 seconds' * 2 ^ attempts
     WHERE id = (SELECT id FROM sandbox_webhooks WHERE due_at <= now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, event_id AS "eventId", body, attempts`,
};

type Taken = Pick<SandboxWebhook, 'id' | 'eventId' | 'body' | 'attempts'>;

/** Tells the service what happened, over HTTP, as a gateway does: at least once, and not for ever. */
@Injectable()
export class WebhookSender extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly keys: SandboxKeys,
    private readonly address: OwnAddress,
    @InjectRepository(SandboxWebhook) private readonly webhooks: Repository<SandboxWebhook>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super(INTERVAL_MS);
  }

  override start(): void {
    if (this.settings.paymentGateway.name === 'sandbox') super.start();
  }

  /** With the transaction in which it happened; it is sent when somebody next sends. */
  async write(manager: EntityManager, events: SandboxEvent[]): Promise<void> {
    await manager.insert(SandboxWebhook, events);
  }

  /** Sends what is due. Each node sends one after the other, so that their order is the one in which they were written. */
  async run(): Promise<void> {
    while (!this.isStopping && (await this.sendNext()));
  }

  private async sendNext(): Promise<boolean> {
    const [webhook] = await this.database.query<Taken>(TAKE, []);
    if (!webhook) return false;
    const outcome = await this.post(webhook);
    if (outcome === 'taken') await this.webhooks.delete({ id: webhook.id });
    else if (webhook.attempts >= ATTEMPTS) await this.giveUp(webhook, outcome);
    return true;
  }

  private async post({ eventId, body }: Taken): Promise<string> {
    const { webhookSecret } = await this.keys.read();
    const url = `${this.settings.publicUrl ?? this.address.reachableUrl}${WEBHOOK_PATH}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Razorpay-Event-Id': eventId,
          'X-Razorpay-Signature': createHmac('sha256', webhookSecret).update(body).digest('hex'),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok ? 'taken' : `status ${response.status}`;
    } catch (error) {
      return String(error);
    }
  }

  private async giveUp({ id, eventId }: Taken, outcome: string): Promise<void> {
    await this.webhooks.delete({ id });
    this.logger.warn(`The sandbox gave up telling of ${eventId} after ${ATTEMPTS} attempts: ${outcome}`);
  }
}
