import { Logger } from '@nestjs/common';

/** Counting reads whole tables, and a scrape comes more often than anybody looks at this. */
const KEPT_MS = 60_000;

export type Counts = Readonly<Record<string, number>>;

/** What is counted in the database, as of a minute ago at most; nothing while it is away. */
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
