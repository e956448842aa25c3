/**
 * The ids of products by SKU. A refresh prepares it while others read, so it may name a product that does not
 * have the SKU yet, or no longer has it: readers look at the product.
 */
export class SkuDirectory {
  private readonly ids = new Map<string, number>();
  /** The ids of SKUs that move from one product to another. */
  private readonly others = new Map<string, number[]>();

  idsOf(sku: string): readonly number[] {
    const id = this.ids.get(sku);
    if (id === undefined) return [];
    const others = this.others.get(sku);
    return others ? [id, ...others] : [id];
  }

  add(sku: string, id: number): void {
    const known = this.idsOf(sku);
    if (known.length === 0) this.ids.set(sku, id);
    else if (!known.includes(id)) this.others.set(sku, [...known.slice(1), id]);
  }

  /** Forgets all products of the SKU but those. */
  keepOnly(sku: string, isStill: (id: number) => boolean): void {
    const [id, ...others] = this.idsOf(sku).filter(isStill);
    if (id === undefined) this.ids.delete(sku);
    else this.ids.set(sku, id);
    if (others.length > 0) this.others.set(sku, others);
    else this.others.delete(sku);
  }
}
