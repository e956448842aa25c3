interface Removal {
  sku: string;
  stamp: number;
}

/** The SKUs under which products were once known, by the time at which they lost them. */
export class Removals {
  private readonly removals: Removal[] = [];
  private sorted = true;

  add(sku: string, stamp: number): void {
    this.removals.push({ sku, stamp });
    this.sorted = false;
  }

  since(stamp: number): string[] {
    this.sort();
    const before = this.removals.findLastIndex((removal) => removal.stamp < stamp);
    return this.removals.slice(before + 1).map(({ sku }) => sku);
  }

  private sort(): void {
    if (!this.sorted) this.removals.sort((a, b) => a.stamp - b.stamp);
    this.sorted = true;
  }
}
