import { median } from '../median.js';
import type { ServerProcess } from '../servers/server-process.js';
import type { Load } from './load.js';
import { runLoad, type Speed } from './run-load.js';

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
  /** Of the first contender, in milliseconds. */
  p99: number;
  /** Of the others, and how the first one's rate relates to each. */
  others: { rate: number; p99: number; ratio: number }[];
}

/**
 * Short turns side by side, so that what else the machine is doing meets all alike. A ratio is the median of the ratios of
 * single rounds, not the ratio of medians.
 */
export async function compare(pace: Pace, ...contenders: [Contender, ...Contender[]]): Promise<Comparison> {
  for (const contender of contenders) await turn(contender, pace.warmUpSeconds);
  const rounds: Speed[][] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const speeds: Speed[] = [];
    for (const contender of contenders) speeds.push(await turn(contender, pace.seconds));
    rounds.push(speeds);
  }
  const of = (index: number) => ({
    rate: median(rounds.map((speeds) => speeds[index]!.rate)),
    p99: median(rounds.map((speeds) => speeds[index]!.p99)),
    ratio: median(rounds.map((speeds) => speeds[0]!.rate / speeds[index]!.rate)),
  });
  const { rate, p99 } = of(0);
  return { rate, p99, others: contenders.slice(1).map((_, index) => of(index + 1)) };
}

function turn({ server, load }: Contender, seconds: number): Promise<Speed> {
  return runLoad({ url: server.url, seconds, load });
}
