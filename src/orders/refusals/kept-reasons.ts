import type { FieldError } from '../../platform/errors/domain-error.js';
import type { RefusedOrder } from '../entities/refused-order.entity.js';

type Reasons = RefusedOrder['reasons'];

/** As many of the reasons as fit, and how many more there were. */
export function keptReasons(reasons: readonly FieldError[], mostBytes: number): Reasons {
  const kept: Reasons = [];
  let bytes = 0;
  for (const { valid_keys: _, ...reason } of reasons) {
    // Which keys there were is in the catalog; here they would only take space.
    bytes += Buffer.byteLength(JSON.stringify(reason)) + 1;
    if (bytes > mostBytes) return [...kept, more(reasons.length - kept.length)];
    kept.push(reason);
  }
  return kept;
}

function more(count: number): Reasons[number] {
  return { field: '', code: 'not_kept', message: `and ${count} more` };
}
