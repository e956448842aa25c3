/** Line breaks and tabs do what they say; a terminal takes anything else of this kind for an order, or shows what is not there. */
const STEERING = /[^\P{Cc}\t\n]|[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * What a terminal may be given of a text that others wrote. The escape keeps what a character was, and is JSON's own, so that one JSON
 * value stays the same. A file or a pipe gets the text as it is.
 */
export function forTerminal({ isTTY = false }: { isTTY?: boolean }, text: string): string {
  return isTTY ? text.replaceAll('\r\n', '\n').replace(STEERING, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
