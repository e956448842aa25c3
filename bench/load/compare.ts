import { median } from '../median.js';
import type { ServerProcess } from '../servers/server-process.js';
import type { Load } from './load.js';
import { runLoad } from './run-load.js';

export interface Contender {
  server: ServerProcess;
  load: Load;
}

export interface Pace {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

export interface Comparison {
  /** Requests a second of the first contender. */
  rate: number;
  /** Of the others, and how the first one's rate relates to each. */
  others: { rate: number; ratio: number }[];
}

/**
 * Short turns side by side, so that what else the machine is doing meets all alike. A ratio is the median of the ratios of
 * single rounds, not the ratio of medians.
 */
export async function compare(pace: Pace, ...contenders: [Contender, ...Contender[]]): Promise<Comparison> {
  for (const contender of contenders) await turn(contender, pace.warmUpSeconds);
  const rounds: number[][] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const rates: number[] = [];
    for (const contender of contenders) rates.push(await turn(contender, pace.seconds));
    rounds.push(rates);
  }
  const others = contenders.slice(1).map((_, index) => ({
    rate: median(rounds.map((rates) => rates[index + 1]!)),
    ratio: median(rounds.map((rates) => rates[0]! / rates[index + 1]!)),
  }));
  return { rate: median(rounds.map((rates) => rates[0]!)), others };
}

function turn({ server, load }: Contender, seconds: number): Promise<number> {
  return runLoad({ url: server.url, seconds, load });
}
