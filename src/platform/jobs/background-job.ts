import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { workFor } from '../limits/work-meter.js';
import { MINUTE_MS } from '../time/time.js';
import type { JobName } from './job-names.js';

/** Intervals vary by this share, so that nodes that start together do not all run at the same moment. */
const JITTER = 0.1;

/** A job that still fails is reported again after this time. */
const REPORT_MS = 30 * MINUTE_MS;

/** The counts of a job for the metrics, by label. */
interface JobCounts {
  name: string;
  help: string;
  label?: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * Work that a node repeats: one run at a time, the next one an interval after the last one ended. A run that
 * fails is logged, and the next run tries again. The shutdown waits for the current run.
 * `src/server/background.ts` finds and starts all jobs; the command line starts none.
 */
export abstract class BackgroundJob implements BeforeApplicationShutdown {
  /** For the metrics. */
  readonly runs = { succeeded: 0, failed: 0 };
  readonly counted?: JobCounts;
  protected readonly logger = new Logger(this.constructor.name);
  /** Checked by runs that loop. */
  protected isStopping = false;
  /** Reports a failure to people, again and again until the job works. */
  onFailure?: (job: JobName) => unknown;
  private isStarted = false;
  private timer: NodeJS.Timeout | undefined;
  private lastRun: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;
  private failure: string | undefined;
  private reportedAt = 0;

  /** The name in the metrics. */
  constructor(
    readonly name: JobName,
    private readonly intervalMs: number,
  ) {}

  abstract run(): Promise<unknown>;

  start(): void {
    this.isStarted = true;
    this.schedule();
  }

  /** Does not wait for the interval. Resolves after a run that began after this call. */
  runSoon(): Promise<void> {
    return (this.queued ??= this.lastRun = this.lastRun.then(() => workFor(undefined, () => this.runOnce())));
  }

  /** `before…`, because TypeORM closes the pool during the shutdown. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.lastRun;
    // While the database is away, another attempt would only delay the shutdown.
    if (this.failure === undefined) await this.finish().catch((error: unknown) => this.logFailure(error));
  }

  /** Runs once at the end of the shutdown. */
  protected async finish(): Promise<void> {}

  private schedule(): void {
    if (!this.isStarted || this.isStopping) return;
    const delayMs = this.intervalMs * (1 + JITTER * (2 * Math.random() - 1));
    this.timer = setTimeout(() => void this.runSoon(), delayMs).unref();
  }

  private async runOnce(): Promise<void> {
    this.queued = undefined;
    clearTimeout(this.timer);
    if (this.isStopping) return;
    try {
      await this.run();
      this.runs.succeeded++;
      if (this.failure !== undefined) this.logger.log('The job works again.');
      this.failure = undefined;
    } catch (error) {
      this.runs.failed++;
      this.logFailure(error);
    }
    this.schedule();
  }

  /** The same failure is logged once until the job works again. */
  private logFailure(error: unknown): void {
    const failure = String(error);
    if (failure !== this.failure) this.logger.warn(`The job failed: ${failure}`);
    if (this.failure === undefined || Date.now() - this.reportedAt >= REPORT_MS) {
      this.reportedAt = Date.now();
      void this.onFailure?.(this.name);
    }
    this.failure = failure;
  }
}
