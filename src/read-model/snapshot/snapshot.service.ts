import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { unavailable } from '../../platform/errors/domain-error.js';
import { workFor } from '../../platform/limits/work-meter.js';
import type { ReadPosition } from './watermark.js';
import type { SnapshotSource } from './snapshot-source.js';
import type { SnapshotState } from './snapshot-state.js';
import type { Holder, SubscriptionView } from '../callers/caller.js';

interface SnapshotOptions {
  snapshotIntervalMs: number;
  snapshotMaxAgeSeconds: number;
  maxClockSkewSeconds: number;
}

/** The time that a committed write waits for its refresh. */
const AFTER_WRITE_MS = 1_000;

const WRONG_CLOCK = 'The clock of this node is wrong';

const MAX_RETRY_MS = 1_000;

interface UnreadWrite {
  writtenAt: number;
  /** Begins with the first read that needs it. */
  refresh?: Promise<void>;
}

/** Catalog, prices, stock and access in memory, a moment behind the database. */
@Injectable()
export class SnapshotService implements OnApplicationShutdown {
  /** Counts of refreshes, for the metrics. */
  readonly outcomes = { succeeded: 0, failed: 0 };
  private readonly logger = new Logger(SnapshotService.name);
  private state: SnapshotState | undefined;
  private freshAt = -Infinity;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private lastRefresh: Promise<void> = Promise.resolve();
  private nextRefresh: Promise<void> | undefined;
  /** The last own write of each client, until a refresh has read it. */
  private readonly unreadWrites = new Map<number, UnreadWrite>();
  private stopped = false;
  private isClockWrong = false;

  constructor(
    private readonly source: SnapshotSource,
    private readonly options: SnapshotOptions,
  ) {}

  /** Runs before the server listens, so no request meets an empty snapshot. */
  async start(): Promise<void> {
    await this.refreshNow();
    this.scheduleRefresh();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.allSettled([this.lastRefresh]);
    this.source.close();
  }

  /** For all reads. Refuses a snapshot that is too old, and a clock that would end tokens at a wrong time. */
  current(): SnapshotState {
    if (!this.state || performance.now() - this.freshAt > this.options.snapshotMaxAgeSeconds * 1_000)
      throw unavailable();
    this.requireRightClock();
    return this.state;
  }

  requireRightClock(): void {
    if (this.isClockWrong) throw unavailable(undefined, WRONG_CLOCK);
  }

  /** Seconds that the clock of this node is ahead of the database's clock; less than 0: behind it. */
  get clockSkewSeconds(): number {
    return this.source.clockSkewMs / 1_000;
  }

  /** The oldest open transaction of the server, of any database: stores read again what changed since. */
  get oldestTransaction(): { id: number; seconds: number } | undefined {
    const { id, since } = this.source.oldestTransaction;
    return id === 0 ? undefined : { id, seconds: (performance.now() - since) / 1_000 };
  }

  /** Remembers a change that a store knows, so that the next refresh notices if the database has lost it. */
  noteVersion({ identity, highestVersion }: Pick<ReadPosition, 'identity' | 'highestVersion'>): void {
    if (this.state?.identity === identity) this.state.noteVersion(highestVersion);
  }

  /** The holder of a token, valid or not. */
  findHolder(hashBase64: string): Holder | undefined {
    return this.current().access.findHolder(hashBase64);
  }

  activeSubscription(clientId: number, nowMs: number): SubscriptionView | undefined {
    return this.current().access.activeSubscription(clientId, nowMs);
  }

  /** The active subscription, else the last one that ended, else the next one. */
  latestSubscription(clientId: number, nowMs: number): SubscriptionView | undefined {
    return this.current().access.latestSubscription(clientId, nowMs);
  }

  /** Resolves after a refresh that began after this call. One runs at a time; later calls share the next. */
  refreshNow(): Promise<void> {
    // Each client reads it, so no client pays for it.
    const refresh = () => workFor(undefined, () => this.refreshOnce());
    return (this.nextRefresh ??= this.lastRefresh = this.lastRefresh.then(refresh, refresh));
  }

  /** After an own write: reads see it then, unless the database does not answer. */
  async refreshAfterWrite(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, AFTER_WRITE_MS)));
    // The refresh logs its failure, and the timer retries.
    await Promise.race([this.refreshNow().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }

  /**
   * After an own write that answers at once: the next reads of these clients wait for a refresh. Writes alone
   * cause none.
   */
  refreshFor(clientIds: Iterable<number>): void {
    const writtenAt = performance.now();
    for (const clientId of clientIds) this.unreadWrites.set(clientId, { writtenAt });
  }

  /** Resolves when the client's own writes can be read. */
  pendingRefreshOf(clientId: number): Promise<void> | undefined {
    const write = this.unreadWrites.get(clientId);
    return write && (write.refresh ??= this.refreshAfterWrite());
  }

  ageSeconds(): number {
    return (performance.now() - this.freshAt) / 1_000;
  }

  get productCount(): number {
    return this.state?.productIndex.count ?? 0;
  }

  /** The change version from which a store that reads now must read later. */
  get watermark(): number {
    return this.state?.watermark ?? 0;
  }

  private async refreshOnce(): Promise<void> {
    this.nextRefresh = undefined;
    if (this.stopped) return;
    const beganAt = performance.now();
    try {
      this.state = await (this.state ? this.source.refresh(this.state) : this.source.load());
    } catch (error) {
      this.outcomes.failed++;
      if (++this.failures === 1) this.logger.warn(`The snapshot could not be refreshed: ${String(error)}`);
      throw error;
    }
    this.freshAt = beganAt;
    for (const [clientId, { writtenAt }] of this.unreadWrites)
      if (writtenAt <= beganAt) this.unreadWrites.delete(clientId);
    this.outcomes.succeeded++;
    this.checkClock();
    if (this.failures > 0)
      this.logger.log(`The snapshot is current again after ${this.failures} failed refreshes.`);
    this.failures = 0;
  }

  private checkClock(): void {
    const isWrong = Math.abs(this.clockSkewSeconds) > this.options.maxClockSkewSeconds;
    if (isWrong && !this.isClockWrong)
      this.logger.error(
        `The clock of this node differs from the database's by ${Math.round(this.clockSkewSeconds)} s. ` +
          'It serves nothing until the clock is right.',
      );
    if (!isWrong && this.isClockWrong) this.logger.log('The clock of this node is right again.');
    this.isClockWrong = isWrong;
  }

  private scheduleRefresh(): void {
    if (this.stopped) return;
    const { snapshotIntervalMs } = this.options;
    const backoff =
      this.failures > 0
        ? Math.min(MAX_RETRY_MS, snapshotIntervalMs * 2 ** this.failures)
        : snapshotIntervalMs;
    this.timer = setTimeout(() => void this.refreshInTurn(), backoff);
  }

  private async refreshInTurn(): Promise<void> {
    await Promise.allSettled([this.refreshNow()]);
    this.scheduleRefresh();
  }
}
