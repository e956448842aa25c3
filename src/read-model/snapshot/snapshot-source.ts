import { Logger } from '@nestjs/common';
import type { ChangedRow, ChangeHeader } from './change-query.js';
import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotState } from './snapshot-state.js';

/** After a failover that lost transactions, stores that read since the last proof must read everything. */
const PROVE_EVERY_MS = 2_000;

export class SnapshotSource {
  private readonly logger = new Logger(SnapshotSource.name);
  /** How far the clock of this node was ahead of the database's at the last query, or behind it. */
  clockSkewMs = 0;
  private provenAt = -Infinity;
  private provenBelow: number | undefined;
  private proves = true;
  /** The identities of past generations that this node has read. Only a rollback brings one back. */
  private readonly pastIdentities = new Set<string>();

  constructor(private readonly connection: SnapshotConnection) {}

  /** Loads the whole state. A copied or rolled-back database begins a new generation first. */
  async load(): Promise<SnapshotState> {
    await this.connection.beginGenerationIfForeign();
    const { state, isRolledBack } = await this.read();
    return isRolledBack ? this.loadAfterRollback(state.identity) : state;
  }

  /** Updates the state, or returns a new one if the database was replaced or rolled back. */
  async refresh(state: SnapshotState): Promise<SnapshotState> {
    // Read before the query: a store may learn of a later change while it runs.
    const { highestVersion } = state;
    const rows: ChangedRow[] = [];
    const header = await this.connection.changesSince(state.watermark, (row) => rows.push(row));
    this.clockSkewMs = header.clockSkewMs;
    if (header.identity !== state.identity || header.isForeign) {
      const next = await this.load();
      if (next.identity !== state.identity) this.pastIdentities.add(state.identity);
      return next;
    }
    if (rows.some(({ changeVersion }) => changeVersion >= header.xmax) || highestVersion >= header.xmax)
      return this.loadAfterRollback(state.identity);
    state.apply(rows);
    state.settle(header);
    await this.prove(header);
    return state;
  }

  close(): void {
    this.connection.close();
  }

  /** The proof is itself a transaction. Without others there is nothing to prove. One node is enough. */
  private async prove({ xmin, provenBelow }: ChangeHeader): Promise<void> {
    const now = performance.now();
    if (provenBelow !== (this.provenBelow ?? provenBelow)) this.provenAt = now;
    this.provenBelow = provenBelow;
    if (xmin <= provenBelow + 1 || now - this.provenAt < PROVE_EVERY_MS) return;
    this.provenAt = now;
    try {
      await this.connection.prove(xmin);
      this.proves = true;
    } catch (error) {
      // The refresh itself has succeeded.
      if (this.proves) this.logger.warn(`Sync tokens would end with a failover now: ${String(error)}`);
      this.proves = false;
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
    const header = await this.connection.changesSince(0, (row) => state.load(row));
    if (header.isForeign) throw new Error('Another server took over a moment ago.');
    state.settle(header);
    this.clockSkewMs = header.clockSkewMs;
    const isRolledBack = state.highestVersion >= header.xmax || this.pastIdentities.has(state.identity);
    return { state, isRolledBack };
  }
}
