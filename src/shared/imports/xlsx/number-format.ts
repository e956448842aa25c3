/** The visible text of a cell, or the reason why it is unknown. A date may be a text that Excel converted. */
export type CellText = { text: string; isDate?: true } | { fault: string };

export type NumberFormat = (value: number, from1904: boolean) => CellText;

export const AS_TEXT = 'format the column as text, and type it again';
const PLAIN = /^[0#?.,\s()+-]*$|^general$|^@$|^[0#.]+e\+0+$/i;
const DATE_LETTERS = /[dmyhs]/i;
const DAY_MS = 86_400_000;

/** Built-in formats. Format 14, a date, depends on the language of the reader. */
const BUILT_IN: Record<number, string> = { 9: '0%', 10: '0.00%', 12: '# ?/?', 13: '# ??/??' };

export function builtInFormat(id: number): NumberFormat {
  const isDate =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  return isDate ? formatCellDate : formatOfCode(BUILT_IN[id] ?? 'General');
}

export function formatOfCode(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  const literals = [...positive.matchAll(/"([^"]*)"|\\(.)/g)]
    .map(([, quoted, escaped]) => quoted ?? escaped)
    .join('');
  const digits = positive
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '')
    .replace(/\p{Sc}/gu, '')
    .trim();
  if (DATE_LETTERS.test(digits.replace(/general/i, ''))) return formatCellDate;
  const isPlain = PLAIN.test(digits) && /^[\p{Sc}\s]*$/u.test(literals);
  if (!isPlain) return () => ({ fault: `is shown by the format ${code}: ${AS_TEXT}` });
  return /^0{2,}$/.test(digits)
    ? (value) => padded(formatCellNumber(value), digits.length)
    : formatCellNumber;
}

/** All digits, in any format. Spreadsheets keep 15. */
export function formatCellNumber(value: number): CellText {
  if (Math.abs(value) >= 1e15)
    return { fault: `has more than 15 digits; spreadsheets keep no more: ${AS_TEXT}` };
  const text = String(Number(value.toPrecision(15)));
  return /^-?\d+(\.\d+)?$/.test(text) ? { text } : { fault: `is the number ${text}: ${AS_TEXT}` };
}

function padded(cell: CellText, length: number): CellText {
  return 'text' in cell ? { text: cell.text.padStart(length, '0') } : cell;
}

/** The date in ISO format. */
function formatCellDate(serial: number, from1904: boolean): CellText {
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(start + Math.round(serial * 86_400) * 1_000);
  if (!from1904 && serial < 61) return { fault: `is a time of day: ${AS_TEXT}` };
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999)
    return { fault: `is not a date: ${AS_TEXT}` };
  const text = date.toISOString();
  const isWholeDay = date.getTime() % DAY_MS === 0;
  return { text: isWholeDay ? text.slice(0, 10) : text.slice(0, 19), isDate: true };
}
