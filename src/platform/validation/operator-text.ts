import { DomainError } from '../errors/domain-error.js';
import { PLAIN_LINE, PLAIN_LINES } from './plain-text.js';
import { isStorableText, isWithin } from './storable-text.js';

/** Why a text on one line cannot be kept, to finish the sentence "the name …"; nothing if it can. */
export function lineFault(text: string, maxLength: number): string | undefined {
  if (text === '') return 'must not be empty';
  return optionalLineFault(text, maxLength);
}

export function optionalLineFault(text: string, maxLength: number): string | undefined {
  if (!PLAIN_LINE.allows(text)) return PLAIN_LINE.fault;
  return storingFault(text, maxLength);
}

/** Like a line, but line breaks are allowed. */
export function paragraphFault(text: string, maxLength: number): string | undefined {
  if (!PLAIN_LINES.allows(text)) return PLAIN_LINES.fault;
  return storingFault(text, maxLength);
}

function storingFault(text: string, maxLength: number): string | undefined {
  if (!isStorableText(text)) return 'contains a character that cannot be stored';
  if (!isWithin(maxLength, text)) return `must have at most ${maxLength} characters`;
  return undefined;
}

/** The text without surrounding space, or a refusal that says what is wrong with it. */
export function readLine(what: string, text: string, maxLength: number): string {
  const line = text.trim();
  const fault = lineFault(line, maxLength);
  if (fault) throw new DomainError('invalid_value', `The ${what} ${fault}.`);
  return line;
}

export function readOptionalLine(
  what: string,
  text: string | undefined,
  maxLength: number,
): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : readLine(what, text, maxLength);
}

/** An absolute http(s) address without white space: what a browser can open and a list separated by spaces can hold. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && PLAIN_LINE.allows(text) && URL.canParse(text);
}
