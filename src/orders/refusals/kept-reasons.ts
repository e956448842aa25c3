import type { FieldError } from '../../platform/errors/domain-error.js';
import { withinBytes } from '../../store-requests/rules/within-bytes.js';
import type { RefusedOrder } from '../entities/refused-order.entity.js';

/** As many of the reasons as fit. Which keys there were is in the catalog; here they would only take space. */
export function keptReasons(reasons: readonly FieldError[], mostBytes: number): RefusedOrder['reasons'] {
  return withinBytes(
    reasons.map(({ valid_keys: _, ...reason }) => reason),
    mostBytes,
  );
}
