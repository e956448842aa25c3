/** What is known of a SKU under which nothing is sold. */
export interface SkuHint {
  /** It was sold once: nothing else is meant by it. */
  inactive?: true;
  /** The active product that is spelt almost alike. */
  suggestion?: string;
}
