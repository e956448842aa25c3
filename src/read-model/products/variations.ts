/** An attribute in which a product varies, and the values it comes in. */
export type Variation = { name: string; values: string[] };

/**
 * Every key of a product, `Color:Red|Size:XL`, in the order of its variations. A product without variations has the
 * one key `''`.
 */
export function variationKeys(variations: readonly Variation[]): string[] {
  return variations.reduce<string[]>(
    (keys, { name, values }) => {
      const pairs = values.map((value) => `${name}:${value}`);
      return keys.flatMap((key) => pairs.map((pair) => (key === '' ? pair : `${key}|${pair}`)));
    },
    [''],
  );
}
