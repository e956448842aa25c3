import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { isStorableText, lengthOf } from '../../platform/validation/storable-text.js';
import { ORDER_LIMITS } from '../placing/order-limits.js';

const INSERT = {
  name: 'refused-orders-insert',
  text: `INSERT INTO refused_orders (client_id, store_order_id, code, reasons) VALUES ($1, $2, $3, $4)`,
};

const PURGE = {
  name: 'refused-orders-purge',
  text: `
    DELETE FROM refused_orders
     WHERE id IN (SELECT id FROM refused_orders WHERE refused_at < now() - interval '30 days' ORDER BY refused_at LIMIT $1)
    RETURNING true`,
};

/** A client that sends nothing but nonsense must not fill the disk: what is refused while this many wait is not written down. */
const MAX_WAITING = 100;

/** Why orders were refused, kept for 30 days and without the customer's data. */
@Injectable()
export class RefusedOrders implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusedOrders.name);
  private readonly waiting = new Set<Promise<void>>();

  constructor(private readonly database: Database) {}

  /** Writes behind the caller's back: a refusal must neither wait for this nor fail with it. */
  record(clientId: number, storeOrderId: unknown, error: DomainError): void {
    if (this.waiting.size >= MAX_WAITING) return;
    const written = this.write(clientId, storeOrderId, error).finally(() => this.waiting.delete(written));
    this.waiting.add(written);
  }

  /** Resolves when everything recorded so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting);
  }

  async purge(batchSize: number): Promise<number> {
    return (await this.database.query(PURGE, [batchSize])).length;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }

  private async write(
    clientId: number,
    storeOrderId: unknown,
    { code, message, errors }: DomainError,
  ): Promise<void> {
    try {
      // Which keys there were is in the catalog; here they would only take space.
      const reasons = errors?.map(({ valid_keys: _, ...reason }) => reason) ?? [{ field: '', code, message }];
      await this.database.query(INSERT, [clientId, readableId(storeOrderId), code, JSON.stringify(reasons)]);
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
