import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Repetition } from '../../platform/background/repetition.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { RequestLog } from './request-log.js';
import { type Batch, RequestLogRepository } from './request-log.repository.js';

/** How long what is noted waits to be written, and so how much of it is lost with a node that is killed. */
const INTERVAL_MS = 2_000;

/** The same for reads, which are only counted: they are so many that writing more often would be work. */
const READS_INTERVAL_MS = 60_000;

/** What one transaction writes. */
const AT_ONCE = { requests: 500, counts: 2_000 };

/** Writes down what the log has noted. While the database is away nothing more is taken from the log, which keeps what it has room for. */
@Injectable()
export class RequestLogWriter implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RequestLogWriter.name);
  private readonly repetition: Repetition;
  /** Taken, and not known to be written. */
  private batches: Batch[] = [];
  private readsTakenAt = performance.now();
  private isAway = false;
  private turn = Promise.resolve();

  constructor(
    private readonly log: RequestLog,
    private readonly repository: RequestLogRepository,
  ) {
    this.repetition = new Repetition(
      INTERVAL_MS,
      () => this.write(),
      (error) => this.noteAway(error),
    );
  }

  start(): void {
    this.repetition.start();
  }

  /** Before, because with the application's end TypeORM closes the pool. A database that was away just now is not waited for again. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.repetition.stop();
    if (!this.isAway) await this.writeAll().catch((error: unknown) => this.noteAway(error));
  }

  /** All that was noted so far, the counts of reads as well. */
  writeAll(): Promise<void> {
    this.readsTakenAt = Number.NEGATIVE_INFINITY;
    return this.write();
  }

  /** One turn after the other. */
  private write(): Promise<void> {
    return (this.turn = this.turn.catch(() => undefined).then(() => this.takeTurn()));
  }

  private async takeTurn(): Promise<void> {
    await this.writeTaken();
    this.batches = this.take();
    await this.writeTaken();
    this.isAway = false;
  }

  private take(): Batch[] {
    const requests = inParts(this.log.takeRequests(), AT_ONCE.requests);
    const counts = this.log.takeCounts();
    const now = performance.now();
    if (now - this.readsTakenAt >= READS_INTERVAL_MS) {
      this.readsTakenAt = now;
      counts.push(...this.log.takeReadCounts());
    }
    return [
      ...requests.map((part) => ({ requests: part, counts: [] })),
      ...inParts(counts, AT_ONCE.counts).map((part) => ({ requests: [], counts: part })),
    ];
  }

  private async writeTaken(): Promise<void> {
    for (let batch = this.batches[0]; batch; batch = this.batches[0]) {
      await this.writeBatch(batch);
      this.batches.shift();
    }
  }

  private async writeBatch(batch: Batch): Promise<void> {
    const { outcomes } = this.log;
    try {
      const leftOut = await this.repository.write(batch);
      outcomes.kept += batch.requests.length - leftOut;
      outcomes.left_out += leftOut;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable') throw error;
      // It would fail for ever, and everything behind it wait.
      outcomes.lost += batch.counts.reduce((sum, { requests }) => sum + requests, batch.requests.length);
      this.logger.error(
        'What stores did was not written down',
        error instanceof Error ? error.stack : String(error),
      );
    }
  }

  private noteAway(error: unknown): void {
    if (!this.isAway) this.logger.warn(`What stores do is not being written down: ${String(error)}`);
    this.isAway = true;
  }
}

function inParts<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}
