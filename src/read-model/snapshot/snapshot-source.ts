import type { ChangedRow, ChangeHeader } from './change-query.js';
import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotState } from './snapshot-state.js';

/** Where a snapshot comes from, and how it is kept current. */
export class SnapshotSource {
  constructor(private readonly connection: SnapshotConnection) {}

  /** The whole state anew. What was restored from a dump becomes a history of its own first. */
  async load(): Promise<SnapshotState> {
    await this.connection.beginHistoryIfForeign();
    const state = await this.read();
    if (state) return state;
    // Stamps of the future in a database that looks like itself: the rows were copied in past the triggers.
    await this.connection.beginHistory();
    const renewed = await this.read();
    if (!renewed) throw new Error('The database holds changes of transactions that it does not know.');
    return renewed;
  }

  /** Brings the state up to date, or gives a new one if the database has become another. */
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
    return state;
  }

  close(): void {
    this.connection.close();
  }

  private async read(): Promise<SnapshotState | undefined> {
    const state = new SnapshotState();
    const header = await this.connection.changesSince(0, (row) => state.load(row));
    if (isOfAnotherHistory(header, state.highestStamp)) return undefined;
    state.settle(header);
    return state;
  }
}

function isOfAnotherHistory({ isForeign, xmax }: ChangeHeader, highestStamp: number): boolean {
  return isForeign || highestStamp >= xmax;
}
