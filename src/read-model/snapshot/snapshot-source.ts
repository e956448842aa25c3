import { Logger } from '@nestjs/common';
import type { ChangedRow, ChangeHeader } from './change-query.js';
import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotState } from './snapshot-state.js';

/** After a failover that lost transactions, stores that read since the last proof must read everything. */
const PROVE_EVERY_MS = 2_000;

export class SnapshotSource {
  private readonly logger = new Logger(SnapshotSource.name);
  private provenAt = -Infinity;
  private provenBelow: number | undefined;
  private proves = true;

  constructor(private readonly connection: SnapshotConnection) {}

  /** Loads the whole state. A restored dump begins a new history first. */
  async load(): Promise<SnapshotState> {
    await this.connection.beginHistoryIfForeign();
    const state = await this.read();
    if (state) return state;
    // Stamps of the future: rows were copied in without triggers.
    await this.connection.beginHistory();
    const renewed = await this.read();
    if (!renewed) throw new Error('The database holds changes of transactions that it does not know.');
    return renewed;
  }

  /** Updates the state, or returns a new one if the database was replaced. */
  async refresh(state: SnapshotState): Promise<SnapshotState> {
    const rows: ChangedRow[] = [];
    const header = await this.connection.changesSince(state.horizon, (row) => rows.push(row));
    const highest = rows.reduce(
      (highestStamp, { stamp }) => Math.max(highestStamp, stamp),
      state.highestStamp,
    );
    if (header.identity !== state.identity || isOfAnotherHistory(header, highest)) return this.load();
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

  private async read(): Promise<SnapshotState | undefined> {
    const state = new SnapshotState();
    const header = await this.connection.changesSince(0, (row) => state.load(row));
    if (header.isForeign) throw new Error('Another server took over a moment ago.');
    if (isOfAnotherHistory(header, state.highestStamp)) return undefined;
    state.settle(header);
    return state;
  }
}

function isOfAnotherHistory({ isForeign, xmax }: ChangeHeader, highestStamp: number): boolean {
  return isForeign || highestStamp >= xmax;
}
