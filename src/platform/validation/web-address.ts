import { PLAIN_LINE } from './plain-text.js';

/** An absolute http(s) address without white space: what a browser can open and a list separated by spaces can hold. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && PLAIN_LINE.allows(text) && URL.canParse(text);
}
