/**
 * What is kept of a client's requests in an hour, all in all and of those that ended alike: more than a store that is well ever makes, and
 * no more than 90 MB in 14 days of one that is not. By the outcome, so that what is refused over and over hides nothing else.
 */
export const REQUEST_LOG_LIMITS = {
  kept: 1_000,
  keptBytes: 262_144,
  ofOneOutcome: 500,
  faultsBytes: 2_048,
} as const;

/** What a node has in memory until it is written: of requests, and of counts. */
export const MOST_WAITING = { requests: 2_000, counts: 100_000 } as const;
