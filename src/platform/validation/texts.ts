import { DomainError } from '../errors/domain-error.js';

/**
 * Characters that control a terminal, a printer or a log (C0 and C1), break a line (U+2028, U+2029), or
 * change the direction of the following text ("Trojan Source"). Marks of right-to-left texts (LRM, RLM, ALM)
 * and joiners of Indic scripts and emoji are allowed: they affect only their neighbours.
 */
const CONTROLS_IN_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** The subset that is forbidden in texts of several lines too. */
const CONTROLS_IN_TEXT = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;

/** Characters without a shape, such as the zero-width space and Hangul's fillers. */
const INVISIBLE = /[\p{Cf}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]/u;

interface PlainText {
  allows(text: string): boolean;
  /** Finishes the sentence "the name …". */
  fault: string;
}

/** A name, an address or an id: readable, on one line. */
export const PLAIN_LINE: PlainText = {
  allows: (text) => !CONTROLS_IN_LINE.test(text),
  fault: 'must be one line, without control or text-direction characters',
};

export const PLAIN_LINES: PlainText = {
  allows: (text) => !CONTROLS_IN_TEXT.test(text),
  fault: 'must not contain control or text-direction characters, except line breaks and tabs',
};

/** PostgreSQL stores neither NUL nor a lone surrogate: it refuses the first and would change the second. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Counts code points, as PostgreSQL does. There are never more than UTF-16 units, so most texts need no
 * counting.
 */
export function isWithin(max: number, text: string): boolean {
  return text.length <= max || lengthOf(text) <= max;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Why a text cannot be a line, to finish the sentence "the name …"; undefined if it can. */
export function lineFault(text: string, maxLength: number): string | undefined {
  if (text === '') return 'must not be empty';
  return optionalLineFault(text, maxLength);
}

/** The same for a key that people compare by eye and programs by its characters. */
export function keyFault(text: string, maxLength: number): string | undefined {
  return INVISIBLE.test(text) ? 'must not contain invisible characters' : lineFault(text, maxLength);
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

/** The trimmed text, or a refusal with the reason. */
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

/** An absolute http(s) address without white space, for browsers and for lists separated by spaces. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && PLAIN_LINE.allows(text) && URL.canParse(text);
}

/** A terminal may execute other control characters than line breaks and tabs, or show a false text. */
const CONTROLS = /[^\P{Cc}\t\n]|[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Makes a foreign text safe for a terminal. JSON's own escape is used, so JSON stays valid. Files and pipes
 * get the text unchanged.
 */
export function forTerminal({ isTTY = false }: { isTTY?: boolean }, text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return isTTY ? text.replaceAll('\r\n', '\n').replace(CONTROLS, escaped) : text;
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
