import { DomainError } from '../errors/domain-error.js';

/**
 * What steers a terminal, a printer or a log (C0 and C1 controls), breaks a line though it is no line break (U+2028, U+2029), or turns the
 * direction of all that follows, so that a text reads otherwise than it is kept (embeddings, overrides, isolates: "Trojan Source").
 * Fine are the marks that right-to-left texts need (LRM, RLM, ALM), and the joiners of Indic scripts and emoji: they reach no further
 * than their neighbours.
 */
const STEERS_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Of those, what has no business in a text of several lines either. */
const STEERS = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;

interface PlainText {
  allows(text: string): boolean;
  /** Finishes the sentence "the name …". */
  fault: string;
}

/** A name, an address, an id: what it looks like, and on one line. */
export const PLAIN_LINE: PlainText = {
  allows: (text) => !STEERS_A_LINE.test(text),
  fault: 'must be one line, without control characters or such as turn the direction of text',
};

/** Line breaks and tabs are fine. */
export const PLAIN_LINES: PlainText = {
  allows: (text) => !STEERS.test(text),
  fault:
    'must not contain control characters but line breaks and tabs, nor such as turn the direction of text',
};

/** PostgreSQL stores neither NUL nor a lone surrogate: the one is refused, the other would silently become another character. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Counted as PostgreSQL does, and people: a character outside the basic plane is one. It never has more than JavaScript says, so most need no counting. */
export function isWithin(most: number, text: string): boolean {
  return text.length <= most || lengthOf(text) <= most;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

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
