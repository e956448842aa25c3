import { Injectable, Logger } from '@nestjs/common';
import type { Minor } from '../../platform/money/money.js';
import { unpaidLimitReached } from '../order-errors.js';
import { isBeyond, isFar, isNear, withOrder } from '../rules/unpaid-limits.js';
import type { Company, Standing } from './standing.repository.js';

/** Thrown where an order can only be judged while no other of its client is being placed. */
class NeedsToBeAlone extends Error {}

/**
 * Keeps what a client has ordered and not paid below its limit, however many orders it places at once. As long as it is far from the
 * limit they are placed side by side; near it one after the other, each seeing those before it.
 */
@Injectable()
export class UnpaidLimit {
  private readonly logger = new Logger(UnpaidLimit.name);
  /** Clients whose last order had to be alone: the next one will not be tried together first. */
  private readonly alone = new Set<number>();
  /** Of which the operator was told. */
  private readonly told = new Set<number>();

  /** `place` is to be one transaction, and to `check` the order before it writes. */
  async keep<Placed>(clientId: number, place: (company: Company) => Promise<Placed>): Promise<Placed> {
    if (this.alone.has(clientId)) return place('alone');
    try {
      return await place('together');
    } catch (error) {
      if (!(error instanceof NeedsToBeAlone)) throw error;
      this.alone.add(clientId);
      return place('alone');
    }
  }

  check(clientId: number, { unpaid, limits }: Standing, total: Minor, company: Company): void {
    if (isFar(unpaid, total, limits)) this.alone.delete(clientId);
    else if (company === 'together') throw new NeedsToBeAlone();
    const then = withOrder(unpaid, total);
    this.tell(clientId, { unpaid: then, limits });
    if (isBeyond(then, limits)) throw unpaidLimitReached(unpaid, limits);
  }

  /** Once, until there is room again. */
  private tell(clientId: number, { unpaid, limits }: Standing): void {
    if (!isNear(unpaid, limits)) {
      this.told.delete(clientId);
      return;
    }
    if (this.told.has(clientId)) return;
    this.told.add(clientId);
    this.logger.warn(
      `Client ${clientId} is near the limit of what it may leave unpaid: ${describe({ unpaid, limits })}.`,
    );
  }
}

function describe({ unpaid, limits }: Standing): string {
  const of = (amount: number, limit: number) => (limit === 0 ? `${amount}` : `${amount} of ${limit}`);
  return `${of(unpaid.orders, limits.orders)} orders worth ${of(unpaid.value / 100, limits.value / 100)}`;
}
