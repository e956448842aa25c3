import { validationFailed } from '../../platform/errors/domain-error.js';

/** How long a token that was replaced goes on beside its successor, in seconds. */
const SECONDS = { now: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const;

export type Overlap = keyof typeof SECONDS;

export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(SECONDS, text)) return text as Overlap;
  throw validationFailed([
    { field: 'overlap', code: 'unknown_value', message: 'is none of those there are' },
  ]);
}

export function secondsOf(overlap: Overlap): number {
  return SECONDS[overlap];
}
