import { Injectable } from '@nestjs/common';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import type { ProductIndex } from './product-index.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ProductView } from './product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';

/** The minimum age of an index. Rebuilding it for each change of a growing catalog would delay other work. */
const INDEX_LIFETIME_MS = 60_000;

/** Explains an unknown SKU. The index is built on first use. */
@Injectable()
export class SkuSuggestions {
  private index: SkuIndex | undefined;
  private madeAt = 0;
  private madeOf = 0;

  constructor(private readonly snapshot: SnapshotService) {}

  /** Two look-ups, so that polls of withdrawn products stay cheap. */
  hint(sku: string): SkuHint {
    const { productIndex } = this.snapshot.current();
    if (productIndex.isWithdrawn(sku)) return { inactive: true };
    const suggestion = this.current(productIndex).find(sku);
    return suggestion !== undefined && productIndex.find(suggestion) ? { suggestion } : {};
  }

  /** Hints for the SKUs that are not for sale. */
  hintsFor(skus: readonly string[]): Map<string, SkuHint> {
    const { productIndex } = this.snapshot.current();
    const unknown = skus.filter((sku) => !productIndex.find(sku));
    return new Map(unknown.map((sku) => [sku, this.hint(sku)]));
  }

  /** New and removed products change the count. Exchanged SKUs need no new index. */
  private current(productIndex: ProductIndex): SkuIndex {
    const now = performance.now();
    const isOutdated = productIndex.count !== this.madeOf && now - this.madeAt > INDEX_LIFETIME_MS;
    if (!this.index || isOutdated) {
      this.index = new SkuIndex(skusIn(productIndex));
      this.madeAt = now;
      this.madeOf = productIndex.count;
    }
    return this.index;
  }
}

function* skusIn(productIndex: ProductIndex): Generator<string> {
  for (const { products } of productIndex.chunks()) {
    for (const { sku } of products) yield sku;
  }
}

/**
 * Finds a SKU that differs only in case, spaces, dashes or leading zeros, as people and spreadsheets change
 * them. Wider matches are dangerous: a store that corrects by itself would order another product.
 */
export class SkuIndex {
  /** `undefined` if several SKUs have this spelling. */
  private readonly bySpelling = new Map<string, string | undefined>();

  constructor(skus: Iterable<string>) {
    for (const sku of skus) {
      const spelling = spellingOf(sku);
      this.bySpelling.set(spelling, this.bySpelling.has(spelling) ? undefined : sku);
    }
  }

  find(sku: string): string | undefined {
    return this.bySpelling.get(spellingOf(sku));
  }
}

function spellingOf(sku: string): string {
  return sku
    .toUpperCase()
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .replace(/^0+(?=.)/, '');
}

export interface SkuHint {
  /** It was sold once, so there is no suggestion. */
  inactive?: true;
  /** An active product with almost the same spelling. */
  suggestion?: string;
}

const MAX_QUOTED_LENGTH = 64;

export function findProduct(
  { productIndex }: SnapshotState,
  sku: string,
  suggestions: SkuSuggestions,
): ProductView {
  const product = productIndex.find(sku);
  if (product) return product;
  const quoted = (
    sku.length > MAX_QUOTED_LENGTH ? `${sku.slice(0, MAX_QUOTED_LENGTH)}…` : sku
  ).toWellFormed();
  const hint = suggestions.hint(sku);
  const unknown = hint.inactive
    ? `The product with the SKU "${quoted}" is inactive: it is not sold at the moment.`
    : `There is no active product with the SKU "${quoted}".`;
  const question = hint.suggestion === undefined ? '' : ` Did you mean "${hint.suggestion}"?`;
  throw new DomainError('product_not_found', unknown + question, { facts: { ...hint } });
}
