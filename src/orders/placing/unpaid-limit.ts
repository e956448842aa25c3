import { Injectable, Logger } from '@nestjs/common';
import type { Minor } from '../../platform/money/money.js';
import { unpaidLimitReached } from '../order-errors.js';
import { isBeyond, isNear, type Standing, type Unpaid, withOrder } from '../rules/unpaid-limits.js';

/** The operator is told of a client once in this time, however often it comes near and goes again. */
const TELL_EVERY_MS = 3_600_000;

/** Keeps what a client has ordered and not paid below its limit, and tells the operator who comes near. */
@Injectable()
export class UnpaidLimit {
  private readonly logger = new Logger(UnpaidLimit.name);
  /** When the operator was told of a client. */
  private readonly told = new Map<number, number>();

  /** Refuses an order that goes beyond; the standing is locked, or somebody else's order would not be seen. */
  check(clientId: number, { unpaid, limits }: Standing, total: Minor): void {
    const then = withOrder(unpaid, total);
    if (isNear(then, limits)) this.tell(clientId, then, limits);
    if (isBeyond(then, limits)) throw unpaidLimitReached(unpaid, limits);
  }

  private tell(clientId: number, unpaid: Unpaid, limits: Unpaid): void {
    const now = performance.now();
    if (now - (this.told.get(clientId) ?? -Infinity) < TELL_EVERY_MS) return;
    this.told.set(clientId, now);
    this.logger.warn(
      `Client ${clientId} is near the limit of what it may leave unpaid: ${describe(unpaid, limits)}.`,
    );
  }
}

function describe(unpaid: Unpaid, limits: Unpaid): string {
  const of = (amount: number, limit: number) => (limit === 0 ? `${amount}` : `${amount} of ${limit}`);
  return `${of(unpaid.orders, limits.orders)} orders worth ${of(unpaid.value / 100, limits.value / 100)}`;
}
