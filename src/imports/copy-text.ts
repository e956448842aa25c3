const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One row in the text format of COPY. */
export function copyRow(values: readonly (string | number | null)[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

/** A PostgreSQL array of texts. */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function copyValue(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number' || !SPECIAL.test(value)) return String(value);
  return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
}
