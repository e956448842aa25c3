/** Letters and signs that Unicode does not decompose into Latin letters. */
const LATIN: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ı', 'i'],
  ['₹', 'Rs.'],
  ['×', 'x'],
  ['⁄', '/'],
  ['\\', '/'],
]);

const MARKS = /([A-Za-z])\p{Mn}+/gu;
const QUOTES = /["\p{Pi}\p{Pf}\u201A\u201E]/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
const OTHER_SIGNS = /[^\x20-\x7E\p{L}\p{M}\p{N}]/gu;

/**
 * The text in the characters of the tax portal's files: Latin letters without marks, digits and signs of
 * ASCII, without double quotes and backslashes. Undefined for another script, or if no text is left.
 */
export function toPortalText(text: string): string | undefined {
  const latin = [...text.normalize('NFKD')]
    .map((character) => LATIN.get(character) ?? character)
    .join('')
    .replaceAll(MARKS, '$1')
    .replaceAll(QUOTES, "'")
    .replaceAll(DASHES, '-')
    .replaceAll(OTHER_SIGNS, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  return /^[\x20-\x7E]+$/.test(latin) ? latin : undefined;
}
