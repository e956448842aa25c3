import { Logger } from '@nestjs/common';
import { runInSlices } from '../../platform/time-slicing/run-in-slices.js';
import type { ChangeHeader } from './change-query.js';
import { SnapshotChanges } from './snapshot-changes.js';
import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotState } from './snapshot-state.js';
import { ALL_UNREAD } from './watermark.js';

/** A start on another timeline tells a failover from a restore by the last beat. */
const BEAT_EVERY_MS = 30_000;

export class SnapshotSource {
  private readonly logger = new Logger(SnapshotSource.name);
  /** How far the clock of this node was ahead of the database's at the last query, or behind it. */
  clockSkewMs = 0;
  /** The oldest open transaction of the server, and since when it is that; id 0 without one. */
  oldestTransaction = { id: 0, since: 0 };
  private beatAt = performance.now() - BEAT_EVERY_MS;
  private beats = true;
  /** The identities of past generations that this node has read. Only a rollback brings one back. */
  private readonly pastIdentities = new Set<string>();

  constructor(private readonly connection: SnapshotConnection) {}

  /** Loads the whole state. A copied or rolled-back database begins a new generation first. */
  async load(isStart = true): Promise<SnapshotState> {
    await this.connection.beginGenerationIfForeign(isStart);
    const { state, isRolledBack } = await this.read();
    return isRolledBack ? this.loadAfterRollback(state.identity) : state;
  }

  /** Updates the state, or returns a new one if the database was replaced or rolled back. */
  async refresh(state: SnapshotState): Promise<SnapshotState> {
    // Read before the query: a store may learn of a later change while it runs.
    const { highestVersion } = state;
    const changes = new SnapshotChanges(state);
    const header = await this.connection.changesSince(state.unread, (row) => changes.take(row));
    this.clockSkewMs = header.clockSkewMs;
    this.noteOldest(header);
    if (header.identity !== state.identity || header.isForeign) {
      const next = await this.load(false);
      if (next.identity !== state.identity) this.pastIdentities.add(state.identity);
      return next;
    }
    if (Math.max(changes.highestVersion, highestVersion) >= header.xmax)
      return this.loadAfterRollback(state.identity);
    await publish(changes, header, state);
    await this.beat();
    return state;
  }

  close(): void {
    this.connection.close();
  }

  private noteOldest({ xmin, open }: ChangeHeader): void {
    const id = open.length > 0 ? xmin : 0;
    if (id !== this.oldestTransaction.id) this.oldestTransaction = { id, since: performance.now() };
  }

  private async beat(): Promise<void> {
    const now = performance.now();
    if (now - this.beatAt < BEAT_EVERY_MS) return;
    this.beatAt = now;
    try {
      await this.connection.beat();
      this.beats = true;
    } catch (error) {
      // The refresh itself has succeeded.
      if (this.beats) this.logger.warn(`A failover would count as a restored backup now: ${String(error)}`);
      this.beats = false;
    }
  }

  /** The database has lost changes that were read, or rows were copied in without triggers. */
  private async loadAfterRollback(identity: string): Promise<SnapshotState> {
    await this.connection.beginGenerationAfter(identity);
    const { state, isRolledBack } = await this.read();
    if (isRolledBack) throw new Error('The database holds changes of transactions that it does not know.');
    this.pastIdentities.add(identity);
    return state;
  }

  private async read(): Promise<{ state: SnapshotState; isRolledBack: boolean }> {
    const state = new SnapshotState();
    const changes = new SnapshotChanges(state);
    const header = await this.connection.changesSince(ALL_UNREAD, (row) => changes.take(row));
    if (header.isForeign) throw new Error('Another server took over a moment ago.');
    await publish(changes, header, state);
    this.clockSkewMs = header.clockSkewMs;
    const isRolledBack = state.highestVersion >= header.xmax || this.pastIdentities.has(state.identity);
    return { state, isRolledBack };
  }
}

/** Other requests are served while a large change is prepared. Then it is visible at once. */
async function publish(changes: SnapshotChanges, header: ChangeHeader, state: SnapshotState): Promise<void> {
  const show = await runInSlices(changes.build());
  show();
  state.settle(header);
}
