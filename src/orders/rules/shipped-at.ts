import { DomainError } from '../../platform/errors/domain-error.js';

const DAY_MS = 86_400_000;

export const BEFORE_PLACED = 'is before the order was placed';

/** Nothing is shipped before it was ordered. A bare date, which is read as the midnight it begins with, means that day. */
export function checkShippedAt(shippedAt: Date | null, placedAt: Date): void {
  if (shippedAt === null) return;
  const isDate = shippedAt.getTime() % DAY_MS === 0;
  const latest = shippedAt.getTime() + (isDate ? DAY_MS - 1 : 0);
  if (latest < placedAt.getTime())
    throw new DomainError(
      'invalid_value',
      `The time of shipping ${BEFORE_PLACED}: ${placedAt.toISOString()}.`,
    );
}

/** The same for many rows at once. */
export const IS_SHIPPED_TOO_EARLY = `
  shipped_at + CASE WHEN shipped_at = date_trunc('day', shipped_at, 'UTC') THEN interval '1 day' ELSE '1 millisecond' END <= placed_at`;
