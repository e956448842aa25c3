import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.js';
import { processorMs, type ServerProcess, startNode } from '../processes.js';
import type { Load } from './loads.js';

export interface Contender {
  server: ServerProcess;
  load: Load;
}

/** The work of a load generator. */
export interface LoadOrder {
  url: string;
  seconds: number;
  load: Load;
}

/** The figures of a load generator. */
export interface LoadResult {
  /** The number of answers, without refused requests. */
  answers: number;
  seconds: number;
  p99: number;
  /** The number of answers of 503. */
  refused: number;
  /** The share of a core that the generator used. */
  busy: number;
}

export interface Speed {
  /** Processor time of the server per request, in microseconds. */
  cost: number;
  /** Processor time of PostgreSQL per request. */
  postgresCost: number;
  /** Answers per second. */
  rate: number;
  /** In milliseconds: 99 of 100 answers were faster. */
  p99: number;
  refused: number;
}

export interface Comparison {
  ours: Speed;
  other: Speed;
  /** The cost of the other divided by ours. */
  cost: number;
  /** Our rate divided by that of the other. */
  rate: number;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

/** Both in one round. */
export interface Turn {
  ours: Speed;
  other: Speed;
}

export async function compare(
  bench: Bench,
  ours: Contender,
  other: Contender,
  warmUpSeconds?: number,
): Promise<Comparison> {
  return comparisonOf(await takeTurns(bench, ours, other, warmUpSeconds));
}

/**
 * Measures in short alternating turns, so that other work on the machine affects both alike. Before them both
 * warm up.
 */
export async function takeTurns(
  bench: Bench,
  ours: Contender,
  other: Contender,
  warmUpSeconds = bench.pace.seconds,
): Promise<Turn[]> {
  const { rounds, seconds } = bench.pace;
  for (const contender of [ours, other]) await measure(bench, contender, warmUpSeconds);
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round++)
    turns.push({ ours: await measure(bench, ours, seconds), other: await measure(bench, other, seconds) });
  return turns;
}

/** A ratio is the median of the ratios of single rounds, not the ratio of medians. */
export function comparisonOf(turns: Turn[]): Comparison {
  const middle = (whose: keyof Turn) => {
    const of = (figure: keyof Speed) => median(turns.map((turn) => turn[whose][figure]));
    const [cost, postgresCost, refused] = [of('cost'), of('postgresCost'), of('refused')];
    return { cost, postgresCost, rate: of('rate'), p99: of('p99'), refused };
  };
  return {
    ours: middle('ours'),
    other: middle('other'),
    cost: median(turns.map((turn) => turn.other.cost / turn.ours.cost)),
    rate: median(turns.map((turn) => turn.ours.rate / turn.other.rate)),
  };
}

export async function measure(
  { postgres }: Pick<Bench, 'postgres'>,
  { server, load }: Contender,
  seconds: number,
): Promise<Speed> {
  const spent = () => [server.processorMs(), processorMs(postgres.pid)] as const;
  const before = spent();
  const result = await runLoad({ url: server.url, seconds, load });
  const after = spent();
  return {
    cost: ((after[0] - before[0]) * 1_000) / result.answers,
    postgresCost: ((after[1] - before[1]) * 1_000) / result.answers,
    rate: result.answers / result.seconds,
    p99: result.p99,
    refused: result.refused,
  };
}

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const child = startNode('load', fileURLToPath(new URL('load-process.js', import.meta.url)));
  child.send(order);
  const result = await Promise.race([
    once(child, 'message').then(([message]) => message as LoadResult),
    once(child, 'exit').then(() => undefined),
  ]);
  if (!result?.answers) throw new Error(`The generator of load for ${order.url} got no answers.`);
  if (result.busy > 0.9) process.stderr.write(`The generator of load for ${order.url} is the limit.\n`);
  return result;
}
