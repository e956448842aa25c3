/**
 * What is kept of a client's requests in an hour: some 500 of them, more than a store that is well ever makes, and no more than 90 MB in 14 days of one
 * that is not. What is refused or fails over and over, for one reason or for many, hides nothing else: by the first digit of its status each kind has
 * room of its own.
 */
export const REQUEST_LOG_LIMITS = {
  bytes: 262_144,
  bytesOfOneCode: 98_304,
  reservedBytes: { 2: 65_536, 4: 65_536, 5: 32_768 },
  faultsBytes: 2_048,
} as const;

/** What a node has in memory until it is written: of requests, and of counts. */
export const MOST_WAITING = { requests: 2_000, counts: 100_000 } as const;
