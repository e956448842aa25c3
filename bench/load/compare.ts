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
  /** Processor time of the server per request, in microseconds. */
  cost: number;
  /** Processor time of PostgreSQL per request. */
  postgresCost: number;
  /** Answers per second. */
  rate: number;
  /** In milliseconds. */
  p99: number;
  refused: number;
  /** The shares of a core that the server and the load generator used. */
  serverBusy: number;
  loadBusy: number;
}

export interface Comparison {
  speed: Speed;
  others: {
    speed: Speed;
    /** The cost of this contender divided by the cost of the first. */
    cost: number;
    /** The rate of the first contender divided by the rate of this one. */
    rate: number;
  }[];
}

/**
 * Measures in short alternating turns, so that other work on the machine affects all contenders alike. The
 * first turn of each is a warm-up. A ratio is the median of the ratios of single rounds, not the ratio of
 * medians.
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
