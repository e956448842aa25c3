import { Injectable, Logger } from '@nestjs/common';
import type { Minor } from '../../platform/money/money.js';
import { unpaidLimitReached } from '../order-errors.js';
import { isBeyond, isFar, isNear, type Unpaid, withOrder } from '../rules/unpaid-limits.js';
import type { Company, Standing } from './standing.repository.js';

/** After so many that could have been placed side by side: one alone tells nothing, where every other order is large. */
const FAR_IN_A_ROW = 20;

/** The operator is told of a client once in this time, however often it comes near and goes again. */
const TELL_EVERY_MS = 3_600_000;

/** Thrown where an order can only be judged while no other of its client is being placed. */
class NeedsToBeAlone extends Error {}

/**
 * Keeps what a client has ordered and not paid below its limit, however many orders it places at once. As long as it is far from the
 * limit they are placed side by side; near it one after the other, each seeing those before it.
 */
@Injectable()
export class UnpaidLimit {
  private readonly logger = new Logger(UnpaidLimit.name);
  /** Clients of whom an order had to be alone, each with how many since then had not: the next one is not tried together first. */
  private readonly alone = new Map<number, number>();
  /** When the operator was told of a client. */
  private readonly told = new Map<number, number>();

  /** `place` is to be one transaction, and to `check` the order before it writes. */
  async keep<Placed>(clientId: number, place: (company: Company) => Promise<Placed>): Promise<Placed> {
    if (this.alone.has(clientId)) return place('alone');
    try {
      return await place('together');
    } catch (error) {
      if (!(error instanceof NeedsToBeAlone)) throw error;
      this.alone.set(clientId, 0);
      return place('alone');
    }
  }

  check(clientId: number, { unpaid, limits, atOnce }: Standing, total: Minor, company: Company): void {
    if (isFar(unpaid, total, limits, atOnce)) this.wasFar(clientId);
    else if (company === 'together') throw new NeedsToBeAlone();
    else this.alone.set(clientId, 0);
    const then = withOrder(unpaid, total);
    if (isNear(then, limits)) this.tell(clientId, then, limits);
    if (isBeyond(then, limits)) throw unpaidLimitReached(unpaid, limits);
  }

  private wasFar(clientId: number): void {
    const inARow = this.alone.get(clientId);
    if (inARow === undefined) return;
    if (inARow + 1 < FAR_IN_A_ROW) this.alone.set(clientId, inARow + 1);
    else this.alone.delete(clientId);
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
