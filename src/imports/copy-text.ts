import type { StagedValue } from './import-kind.js';

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One row in the text format of COPY. */
export function copyRow(values: readonly StagedValue[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

/** A PostgreSQL array of texts. */
function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function copyValue(value: StagedValue): string {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? arrayLiteral(value) : String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text;
}
