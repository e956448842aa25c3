const DAY_MS = 86_400_000;

/** Since when the figures tell what happened. */
export function aDayAgo(): Date {
  return new Date(Date.now() - DAY_MS);
}
