import { Injectable, Logger } from '@nestjs/common';
import { isNear, type UnpaidTotals, type Unpaid } from '../rules/unpaid-limits.js';

/** The operator hears of one client once in this time. */
const TELL_EVERY_MS = 3_600_000;

/** Warns the operator of clients near their limit of unpaid orders. */
@Injectable()
export class UnpaidWatchService {
  private readonly logger = new Logger(UnpaidWatchService.name);
  /** The time of the last warning, by client. */
  private readonly told = new Map<number, number>();

  see(clientId: number, { unpaid, limits }: UnpaidTotals): void {
    if (!isNear(unpaid, limits)) return;
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
