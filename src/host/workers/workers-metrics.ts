import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Workers } from './workers.js';

/** A worker that hangs does not keep the others' from being told. */
const PATIENCE_MS = 2_000;

/** Counted for each process by itself: it begins anew with the next one. */
const OF_A_PROCESS = /^(process|nodejs)_/;

interface MetricObject {
  name: string;
  type: string;
  aggregator: string;
}

/**
 * The metrics of all workers as those of one. What is counted never goes back: of a worker that is gone the last that was told goes on being
 * counted.
 */
export class WorkersMetrics {
  /** What each worker told when it was last asked. */
  private readonly told = new Map<number, MetricObject[]>();
  private readonly ofTheDead = new Map<string, MetricObject>();
  /** By its number, the worker that each question was put to, and who waits for the answer. */
  private readonly asked = new Map<number, { id: number; over: () => void }>();
  private readonly own = new Registry();
  private questions = 0;
  private deaths = 0;

  constructor(private readonly workers: Workers) {
    this.registerOwn();
    workers.on('metrics', (id, { question, metrics }) => {
      this.told.set(id, metrics as MetricObject[]);
      this.asked.get(question)?.over();
    });
    workers.on('died', () => this.deaths++);
    workers.on('gone', (id) => this.bury(id));
  }

  async text(): Promise<string> {
    await Promise.all(this.workers.listening.map((id, index) => this.ask(id, index === 0)));
    const own = (await this.own.getMetricsAsJSON()) as unknown as MetricObject[];
    const all = [own, ...this.told.values(), [...this.ofTheDead.values()]];
    return AggregatorRegistry.aggregate(all.map((metrics) => metrics.map(withEach))).metrics();
  }

  /** One of them counts what is in the database, for all. */
  private ask(id: number, withCounts: boolean): Promise<void> {
    const question = ++this.questions;
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        this.asked.delete(question);
        resolve();
      };
      const timer = setTimeout(over, PATIENCE_MS);
      this.asked.set(question, { id, over });
      this.workers.tell(id, 'tellMetrics', { question, withCounts });
    });
  }

  private bury(id: number): void {
    for (const { id: asked, over } of this.asked.values()) if (asked === id) over();
    for (const metric of this.told.get(id) ?? []) {
      if (metric.type === 'gauge' || OF_A_PROCESS.test(metric.name)) continue;
      const before = this.ofTheDead.get(metric.name);
      this.ofTheDead.set(metric.name, before ? sum(before, metric) : metric);
    }
    this.told.delete(id);
  }

  private registerOwn(): void {
    const { own: register, workers } = this;
    const registers = [register];
    collectDefaultMetrics({ register, labels: { worker: 'none' } });
    new Gauge({
      name: 'workers',
      help: 'Workers that serve.',
      registers,
      collect() {
        this.set(workers.listening.length);
      },
    });
    const deaths = () => this.deaths;
    new Counter({
      name: 'worker_deaths_total',
      help: 'Workers that ended without having been told to.',
      registers,
      collect() {
        this.reset();
        this.inc(deaths());
      },
    });
  }
}

function sum(one: MetricObject, other: MetricObject): MetricObject {
  const both = AggregatorRegistry.aggregate([[one], [other]]);
  return both.getSingleMetric(one.name) as unknown as MetricObject;
}

/** Each process' own has a label of its own, so there is nothing to be left out. */
function withEach(metric: MetricObject): MetricObject {
  return metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric;
}
