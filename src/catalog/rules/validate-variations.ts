import { PLAIN_LINE } from '../../platform/validation/texts.js';
import { foldSpelling, type Variation } from '../../read-model/products/variations.js';
export const MAX_VARIATIONS = 5;
export const MAX_VARIATION_KEYS = 500;
export const MAX_VARIATION_NAME = 50;
export const MAX_VARIATION_VALUE = 100;

/** Every fault of the variations an operator gave a product, each a sentence; none when they are fine. */
export function validateVariations(variations: readonly Variation[]): string[] {
  const names = variations.map((variation) => variation.name);
  return [
    ...(variations.length > MAX_VARIATIONS ? [`There must be at most ${MAX_VARIATIONS} variations.`] : []),
    ...names.flatMap((name) => textFaults('variation name', name, MAX_VARIATION_NAME, '|:')),
    ...repeated('variation name', names),
    ...variations.flatMap(valueFaults),
    ...keyCountFaults(variations),
  ];
}

function valueFaults({ name, values }: Variation): string[] {
  if (values.length === 0) return [`The variation ${JSON.stringify(name)} has no values.`];
  const what = `value of ${JSON.stringify(name)}`;
  return [
    ...values.flatMap((value) => textFaults(what, value, MAX_VARIATION_VALUE, '|')),
    ...repeated(what, values),
  ];
}

function keyCountFaults(variations: readonly Variation[]): string[] {
  const count = variations.reduce((product, { values }) => product * values.length, 1);
  return count > MAX_VARIATION_KEYS
    ? [`The variations make ${count} combinations; there must be at most ${MAX_VARIATION_KEYS}.`]
    : [];
}

function textFaults(what: string, text: string, maxLength: number, forbidden: string): string[] {
  if (text.trim() === '') return [`A ${what} is empty.`];
  const quoted = JSON.stringify(text);
  const faults: string[] = [];
  if (text.trim() !== text) faults.push(`The ${what} ${quoted} begins or ends with a space.`);
  if (text.length > maxLength) faults.push(`The ${what} ${quoted} is longer than ${maxLength} characters.`);
  if (!PLAIN_LINE.allows(text) || !text.isWellFormed()) {
    faults.push(`The ${what} ${quoted} contains a character that cannot be shown.`);
  }
  for (const character of forbidden) {
    if (text.includes(character)) faults.push(`The ${what} ${quoted} must not contain "${character}".`);
  }
  return faults;
}

/** Compared as callers' spellings are: two values that differ in case alone could not be told apart in an order. */
function repeated(what: string, texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.flatMap((text) => {
    const spelling = foldSpelling(text);
    if (spelling !== '' && seen.has(spelling)) return [`The ${what} ${JSON.stringify(text)} occurs twice.`];
    seen.add(spelling);
    return [];
  });
}
