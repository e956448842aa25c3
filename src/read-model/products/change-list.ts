/** An item with the version of its last change and its neighbours. */
export interface Changeable<Self> {
  latestVersion: number;
  newer: Self | undefined;
  older: Self | undefined;
}

/**
 * All items, latest change first, so a search for changes costs as much as its result. A transaction that
 * commits late has older versions; its items are sorted in.
 */
export class ChangeList<Item extends Changeable<Item>> {
  private head: Item | undefined;
  private readonly members = new Set<Item>();

  *since(changeVersion: number): Generator<Item> {
    for (let item = this.head; item && item.latestVersion >= changeVersion; item = item.older) yield item;
  }

  remove(item: Item): void {
    if (!this.members.delete(item)) return;
    if (item.newer) item.newer.older = item.older;
    else this.head = item.older;
    if (item.older) item.older.newer = item.newer;
    item.newer = item.older = undefined;
  }

  /** Moves the items to their positions in one pass. */
  reorder(items: Iterable<Item>): void {
    const sorted = [...items].toSorted((a, b) => b.latestVersion - a.latestVersion);
    for (const item of sorted) this.remove(item);
    let newer: Item | undefined;
    let older = this.head;
    for (const item of sorted) {
      while (older && older.latestVersion > item.latestVersion) [newer, older] = [older, older.older];
      this.insertBetween(newer, item, older);
      newer = item;
    }
  }

  private insertBetween(newer: Item | undefined, item: Item, older: Item | undefined): void {
    item.newer = newer;
    item.older = older;
    if (newer) newer.older = item;
    else this.head = item;
    if (older) older.newer = item;
    this.members.add(item);
  }
}
