import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, type Repository } from 'typeorm';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { isPlainObject } from '../../platform/validation/named-fields.js';
import { isStorableText, lengthOf } from '../../platform/validation/storable-text.js';
import { RefusedOrder } from '../entities/refused-order.entity.js';
import { askedItems } from './asked-items.js';
import { ORDER_LIMITS } from '../placing/order-limits.js';

const KEPT_MS = 30 * 86_400_000;

/** A client that sends nothing but nonsense must not fill the disk: what is refused while this many wait is not written down. */
const MAX_WAITING = 100;

/** Why orders were refused, kept for 30 days and without the customer's data. */
@Injectable()
export class RefusedOrders implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusedOrders.name);
  private readonly waiting = new Set<Promise<void>>();

  constructor(@InjectRepository(RefusedOrder) private readonly refused: Repository<RefusedOrder>) {}

  /** Writes behind the caller's back: a refusal must neither wait for this nor fail with it. */
  record(clientId: number, body: unknown, error: DomainError): void {
    if (this.waiting.size >= MAX_WAITING) return;
    const written = this.write(clientId, body, error).finally(() => this.waiting.delete(written));
    this.waiting.add(written);
  }

  /** Resolves when everything recorded so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting);
  }

  /** Forgets a batch of those that are too old. Several nodes may do so at once. */
  async purge(batchSize: number): Promise<void> {
    const old = await this.refused.find({
      select: { id: true },
      where: { refusedAt: LessThan(new Date(Date.now() - KEPT_MS)) },
      order: { refusedAt: 'ASC' },
      take: batchSize,
    });
    await this.refused.delete({ id: In(old.map(({ id }) => id)) });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }

  private async write(
    clientId: number,
    body: unknown,
    { code, message, errors }: DomainError,
  ): Promise<void> {
    try {
      // Which keys there were is in the catalog; here they would only take space.
      const reasons = errors?.map(({ valid_keys: _, ...reason }) => reason) ?? [{ field: '', code, message }];
      const storeOrderId = readableId(isPlainObject(body) ? body.store_order_id : undefined);
      await this.refused.insert({ clientId, storeOrderId, code, asked: askedItems(body), reasons });
    } catch (error) {
      this.logger.warn(`A refused order of client ${clientId} was not written down: ${String(error)}`);
    }
  }
}

function readableId(storeOrderId: unknown): string | null {
  const readable =
    typeof storeOrderId === 'string' &&
    isStorableText(storeOrderId) &&
    lengthOf(storeOrderId) <= ORDER_LIMITS.storeOrderId;
  return readable ? storeOrderId : null;
}
