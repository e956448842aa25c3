import { copyProductRow, type RowOf } from '../snapshot/change-query.js';
import { chunkNumberOf, ProductChunk } from './product-chunk.js';
import type { ProductIndex } from './product-index.js';
import { ProductView } from './product-view.js';

const NONE = new Set<number>();

/** Changed products that readers do not see yet. */
export class ProductDrafts {
  /** By the number of the chunk, then by id. */
  private readonly drafts = new Map<number, Map<number, ProductView>>();
  private readonly removed = new Map<number, Set<number>>();

  constructor(private readonly index: ProductIndex) {}

  put(row: RowOf<'products'>): void {
    const draft = this.draftOf(row.columns[0]);
    copyProductRow(draft, row);
    draft.changeVersion = row.changeVersion;
  }

  putStockItem({ changeVersion, columns: [id, productId, key, available] }: RowOf<'stock_items'>): void {
    const draft = this.draftOf(productId);
    const others = draft.stock.filter((item) => item.id !== id);
    draft.stock = [...others, { id, key, available, changeVersion }];
  }

  /** After all rows were put. */
  remove(id: number): void {
    const number = chunkNumberOf(id);
    this.removed.set(number, new Set(this.removed.get(number)).add(id));
  }

  removeStockItem(id: number, productId: number): void {
    const product =
      this.drafts.get(chunkNumberOf(productId))?.get(productId) ?? this.index.findById(productId);
    if (!product?.stock.some((item) => item.id === id)) return;
    const draft = this.draftOf(productId);
    draft.stock = draft.stock.filter((item) => item.id !== id);
  }

  /** Builds the changed chunks, one in a step. The function that it returns shows them to readers. */
  *build(): Generator<void, () => void> {
    const chunks: [number: number, chunk: ProductChunk | undefined][] = [];
    const leftSkus: string[] = [];
    for (const number of new Set([...this.drafts.keys(), ...this.removed.keys()])) {
      const drafts = this.drafts.get(number) ?? new Map<number, ProductView>();
      const removed = this.removed.get(number) ?? NONE;
      for (const id of removed) drafts.delete(id);
      for (const draft of drafts.values()) draft.settle();
      leftSkus.push(...this.leftSkus(drafts, removed));
      for (const { sku, id } of drafts.values()) this.index.addSku(sku, id);
      const before = this.index.chunk(number) ?? new ProductChunk(number, []);
      chunks.push([number, before.with(drafts, removed)]);
      yield;
    }
    return () => {
      for (const [number, chunk] of chunks) this.index.publish(number, chunk);
      for (const sku of leftSkus) this.index.settleSku(sku);
    };
  }

  /** SKUs that products have had until now. */
  private leftSkus(drafts: ReadonlyMap<number, ProductView>, removed: ReadonlySet<number>): string[] {
    return [...drafts.keys(), ...removed].flatMap((id) => {
      const before = this.index.findById(id);
      return before && before.sku !== drafts.get(id)?.sku ? [before.sku] : [];
    });
  }

  private draftOf(id: number): ProductView {
    const number = chunkNumberOf(id);
    let drafts = this.drafts.get(number);
    if (!drafts) this.drafts.set(number, (drafts = new Map()));
    let draft = drafts.get(id);
    if (!draft) drafts.set(id, (draft = this.index.findById(id)?.copy() ?? new ProductView(id)));
    return draft;
  }
}
