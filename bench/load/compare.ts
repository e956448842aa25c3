import type { Measuring } from '../bench.js';
import { median } from '../median.js';
import { processorMs } from '../servers/processor-time.js';
import type { ServerProcess } from '../servers/server-process.js';
import type { Load } from './load.js';
import { runLoad } from './run-load.js';

export interface Contender {
  server: ServerProcess;
  load: Load;
}

export interface Speed {
  /** Processor time of the server for one request, in microseconds. */
  cost: number;
  /** The same of PostgreSQL, whoever uses it. */
  postgresCost: number;
  /** Answers a second. */
  rate: number;
  /** In milliseconds. */
  p99: number;
  refused: number;
  /** The shares of a core that the server and the generator of load used. */
  serverBusy: number;
  loadBusy: number;
}

export interface Comparison {
  speed: Speed;
  others: {
    speed: Speed;
    /** How many times the first contender's cost this one has. */
    cost: number;
    /** How many times this one's rate the first contender has. */
    rate: number;
  }[];
}

/**
 * Short turns side by side, so that other work on the machine meets all alike. The first turn of each only warms up.
 * A ratio is the median of the ratios of single rounds, not the ratio of medians.
 */
export async function compare(bench: Measuring, ...contenders: Contender[]): Promise<Comparison> {
  const { rounds, seconds, warmUpSeconds } = bench.pace;
  for (const contender of contenders) await measure(bench, contender, warmUpSeconds);
  const turns: Speed[][] = [];
  for (let round = 0; round < rounds; round++) {
    const speeds: Speed[] = [];
    for (const contender of contenders) speeds.push(await measure(bench, contender, seconds));
    turns.push(speeds);
  }
  const middle = (of: (speeds: Speed[]) => number) => median(turns.map(of));
  const speedOf = (index: number): Speed => {
    const of = (figure: keyof Speed) => middle((speeds) => speeds[index]![figure]);
    return {
      cost: of('cost'),
      postgresCost: of('postgresCost'),
      rate: of('rate'),
      p99: of('p99'),
      refused: of('refused'),
      serverBusy: of('serverBusy'),
      loadBusy: of('loadBusy'),
    };
  };
  return {
    speed: speedOf(0),
    others: contenders.slice(1).map((_, index) => ({
      speed: speedOf(index + 1),
      cost: middle((speeds) => speeds[index + 1]!.cost / speeds[0]!.cost),
      rate: middle((speeds) => speeds[0]!.rate / speeds[index + 1]!.rate),
    })),
  };
}

export async function measure(
  { postgres }: Pick<Measuring, 'postgres'>,
  { server, load }: Contender,
  seconds: number,
): Promise<Speed> {
  const spent = () => [server.processorMs(), processorMs(postgres.pid)] as const;
  const before = spent();
  const seen = await runLoad({ url: server.url, seconds, load });
  const after = spent();
  return {
    cost: ((after[0] - before[0]) * 1_000) / seen.answers,
    postgresCost: ((after[1] - before[1]) * 1_000) / seen.answers,
    rate: seen.answers / seen.seconds,
    p99: seen.p99,
    refused: seen.statuses[503] ?? 0,
    serverBusy: (after[0] - before[0]) / 1_000 / seen.seconds,
    loadBusy: seen.busy,
  };
}
