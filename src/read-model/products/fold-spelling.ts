/**
 * One spelling for all that should count as the same: without case, runs of white space, or space around a
 * separator. Lower, then upper case, because neither alone makes ß and ẞ, or σ and ς, the same.
 */
export function foldSpelling(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/ ?([/|,:]) ?/g, '$1')
    .trim();
}
