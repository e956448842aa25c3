import type { Variation } from '../../read-model/products/variations.js';

const SPECIAL = /[\\;=|]/g;

/** `Color=Red|Blue; Size=S|M`, as it stands in a cell of the catalog file. A backslash keeps one of `;`, `=`, `|` from separating. */
export function formatVariations(variations: readonly Variation[]): string {
  return variations.map(({ name, values }) => `${escape(name)}=${values.map(escape).join('|')}`).join('; ');
}

/** What `formatVariations` wrote, or a person did: space around names and values does not count. */
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
