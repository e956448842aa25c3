import { PLAIN_LINE } from '../../../platform/validation/texts.js';
import { foldSpelling, type Variation } from '../../../read-model/products/variations.js';

const SPECIAL = /[\\;=|]/g;

/** A cell such as `Color=Red|Blue; Size=S|M`. A backslash makes `;`, `=` or `|` part of a text. */
export function formatVariations(variations: readonly Variation[]): string {
  return variations.map(({ name, values }) => `${escape(name)}=${values.map(escape).join('|')}`).join('; ');
}

/** Reads such a cell. Space around names and values does not count. */
export function parseVariations(text: string): Variation[] | { fault: string } {
  const variations: Variation[] = [];
  for (const part of split(text, ';')) {
    if (part.trim() === '') continue;
    const [name, values, ...more] = split(part, '=');
    if (name === undefined || values === undefined || more.length > 0) {
      return {
        fault: `must look like Color=Red|Blue; Size=S|M, but a part of it is ${JSON.stringify(part.trim())}`,
      };
    }
    variations.push({ name: unescape(name), values: split(values, '|').map(unescape) });
  }
  return variations;
}

function escape(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

function unescape(text: string): string {
  return text.trim().replace(/\\(.)/gsu, '$1');
}

function split(text: string, separator: string): string[] {
  if (!text.includes('\\')) return text.split(separator);
  const parts = [''];
  for (const [piece] of text.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

export const MAX_VARIATIONS = 5;
export const MAX_VARIATION_KEYS = 500;
export const MAX_VARIATION_NAME = 50;
export const MAX_VARIATION_VALUE = 100;

/** All faults, each a sentence. */
export function validateVariations(variations: readonly Variation[]): string[] {
  const names = variations.map((variation) => variation.name);
  return [
    ...(variations.length > MAX_VARIATIONS ? [`There must be at most ${MAX_VARIATIONS} variations.`] : []),
    ...names.flatMap((name) => textFaults('variation name', name, MAX_VARIATION_NAME, '|:')),
    ...repeatFaults('variation name', names),
    ...variations.flatMap(valueFaults),
    ...keyCountFaults(variations),
  ];
}

function valueFaults({ name, values }: Variation): string[] {
  if (values.length === 0) return [`The variation ${JSON.stringify(name)} has no values.`];
  const what = `value of ${JSON.stringify(name)}`;
  return [
    ...values.flatMap((value) => textFaults(what, value, MAX_VARIATION_VALUE, '|')),
    ...repeatFaults(what, values),
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

/** Spellings are compared as in orders: case alone does not distinguish two values. */
function repeatFaults(what: string, texts: readonly string[]): string[] {
  const spellings = new Set<string>();
  return texts.flatMap((text) => {
    const spelling = foldSpelling(text);
    if (spelling !== '' && spellings.has(spelling))
      return [`The ${what} ${JSON.stringify(text)} occurs twice.`];
    spellings.add(spelling);
    return [];
  });
}
