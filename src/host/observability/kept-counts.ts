import { Logger } from '@nestjs/common';

/** Counting reads whole tables, so it does not run at every scrape. */
const KEPT_MS = 60_000;

export type Counts = Readonly<Record<string, number>>;

/** Counts from the database, at most a minute old; empty while it is away. */
export function keptCounts(what: string, count: () => Promise<Counts>): () => Promise<Counts> {
  const logger = new Logger('Metrics');
  let counted: Counts = {};
  let countedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - countedAt < KEPT_MS) return counted;
    try {
      counted = await count();
      countedAt = performance.now();
    } catch (error) {
      counted = {};
      logger.warn(`The ${what} could not be counted for the metrics: ${String(error)}`);
    }
    return counted;
  };
}
