/**
 * Finds the SKU that was meant by one that differs in case, space, dashes or leading zeros alone, as spreadsheets and people spell
 * them. Nothing further away: a store that corrects by itself would order another product.
 */
export class SkuIndex {
  /** `undefined` where several are spelt alike, so that none of them can be said to be meant. */
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
