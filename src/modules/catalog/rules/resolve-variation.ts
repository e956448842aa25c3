import { foldSpelling, type Variation } from '../../../read-model/products/variations.js';

export type ResolvedVariation =
  | { key: string }
  | { error: 'variation_required' | 'unknown_variation' }
  | { error: 'ambiguous_variation'; readings: string[] };

type Choice = { pair: string; spellings: [bare: string, named: string] };

const SEPARATORS = '/|,';

/**
 * The stock key that a store's text means: values (`Red / XL`), a key (`Color:Red|Size:XL`) or named pairs
 * (`Size: XL, Color: Red`), in any order. A text that fits two keys is refused: a guess may send wrong goods.
 *
 * Values may contain separators ("1/2 inch"), so the text is never split. It is read from the left, one of
 * the product's own values after the other. A text that fits none fails early.
 */
export function resolveVariation(
  variations: readonly Variation[],
  keys: readonly string[],
  text: string,
): ResolvedVariation {
  const trimmed = text.trim();
  if (trimmed === '') return { error: 'variation_required' };
  if (keys.includes(trimmed)) return { key: trimmed };
  const spelling = foldSpelling(trimmed);
  const choices = variations.map(choicesOf);
  const [key, ...others] = findReadings(spelling, choices, keys);
  if (key === undefined) return { error: 'unknown_variation' };
  return others.length === 0 ? { key } : { error: 'ambiguous_variation', readings: [key, ...others] };
}

function choicesOf({ name, values }: Variation): Choice[] {
  return values.map((value) => ({
    pair: `${name}:${value}`,
    spellings: [foldSpelling(value), foldSpelling(`${name}:${value}`)],
  }));
}

/** The keys that the whole text can mean. Two keys are enough to know that it is ambiguous. */
function findReadings(text: string, choices: readonly Choice[][], keys: readonly string[]): Set<string> {
  const matches = new Set<string>();
  const picked: (string | undefined)[] = choices.map(() => undefined);

  const readFrom = (start: number): void => {
    for (const [index, options] of choices.entries()) {
      if (picked[index] !== undefined) continue;
      for (const { pair, spellings } of options) {
        for (const spelling of spellings) {
          if (matches.size > 1 || !text.startsWith(spelling, start)) continue;
          picked[index] = pair;
          readAfter(start + spelling.length);
          picked[index] = undefined;
        }
      }
    }
  };

  const readAfter = (end: number): void => {
    const complete = !picked.includes(undefined);
    if (end === text.length) {
      const key = picked.join('|');
      if (complete && keys.includes(key)) matches.add(key);
    } else if (!complete && SEPARATORS.includes(text.charAt(end))) {
      readFrom(end + 1);
    }
  };

  readFrom(0);
  return matches;
}
