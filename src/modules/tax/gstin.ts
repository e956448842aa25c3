import { DomainError } from '../../platform/errors/domain-error.js';
import { type GstCategory, OTHER_NAMES, STATES } from './gst-codes.js';
import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';

/** State, PAN, number of the registration, a letter (mostly Z), check character. */
const ORDINARY = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][1-9A-JZ][0-9A-Z]$/;

/** A department that deducts tax (section 51), by its PAN or TAN, or one that is registered by its TAN. */
const DEPARTMENT = /^\d{2}[A-Z]{4}(?:[A-Z0-9]\d{4}[A-Z][1-9A-Z]D|\d{5}[A-Z]\dZ)[0-9A-Z]$/;

/** State, two digits, country or body, number, "UN" or "ON". The rule of its last character is not public. */
const UIN = /^\d{4}[A-Z]{3}\d{5}[UO]N[0-9A-Z]$/;

/** Whether the number is of an embassy or UN body. */
export const isUin = (gstin: string): boolean => UIN.test(gstin);

/** The numbers of each category (developer.gst.gov.in, formats of GSTR-1), and who needs one. */
const CATEGORY_RULES: Record<GstCategory | 'none', { format: RegExp; isRequired?: true; fault: string }> = {
  none: {
    format: ORDINARY,
    fault: 'A UIN, or the GSTIN of a department, needs its GST category.',
  },
  sez: {
    format: ORDINARY,
    isRequired: true,
    fault: 'A unit or developer of a special economic zone needs its ordinary GSTIN.',
  },
  government: {
    format: DEPARTMENT,
    fault:
      'A department has no GSTIN, or that of a tax deductor. With an ordinary GSTIN, choose no category.',
  },
  uin: {
    format: UIN,
    isRequired: true,
    fault: 'An embassy or UN body needs its UIN of 15 characters, such as 0717UNO00157UNO, as its GSTIN.',
  },
};

/** The code of the state that a text names. */
export function parseState(text: string): string {
  const code = findState(text);
  if (code !== undefined) return code;
  const near = findSimilarState(text);
  throw new DomainError(
    'invalid_value',
    near === undefined
      ? 'The state must be an Indian state: its name, such as Maharashtra, or its GST code, such as 27.'
      : `The state ${JSON.stringify(text.trim())} is unknown. Did you mean ${stateName(near)}?`,
  );
}

/** The state in an address that a customer typed. A small mistake leaves no doubt: the names differ more. */
export function stateInAddress(text: string): string | undefined {
  return findState(text) ?? findSimilarState(text);
}

const CODES = new Map(
  [...STATES, ...OTHER_NAMES].flatMap(([code, ...names]) => names.map((name) => [normalizeName(name), code])),
);

/** By its code, its name or another name. */
function findState(text: string): string | undefined {
  const code = text.trim().padStart(2, '0');
  return STATES.has(code) ? code : CODES.get(normalizeName(text));
}

function findSimilarState(text: string): string | undefined {
  return nearestTo([...STATES.keys()], (known) => editsTo(STATES.get(known)!, normalizeName(text)));
}

/** Names the state for people: `Maharashtra (27)`. */
export function stateName(code: string): string {
  return `${STATES.get(code)} (${code})`;
}

/** The GSTIN in capitals, without blanks. */
export function parseGstin(text: string, formats: readonly RegExp[] = [ORDINARY]): string {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  const fault = gstinFault(gstin, formats);
  if (fault !== undefined) throw new DomainError('invalid_value', `The GSTIN ${fault}.`);
  return gstin;
}

/** Clients may also have the number of a department, or a UIN. */
export const parseClientGstin = (text: string) => parseGstin(text, [ORDINARY, DEPARTMENT, UIN]);

/** Refuses a number that the category does not have, and a category without its number. */
export function checkGstCategory(category: GstCategory | null, gstin: string | null): void {
  const { format, isRequired, fault } = CATEGORY_RULES[category ?? 'none'];
  if (gstin === null ? isRequired : !format.test(gstin)) throw new DomainError('invalid_value', fault);
}

/** The permanent account number in a GSTIN. A UIN, or the number of a department, may have none. */
export const panOf = (gstin: string | null) => gstin?.match(/[A-Z]{5}\d{4}[A-Z]/)?.[0];

/**
 * The state of a taxable person. The GSTIN decides it, and a given state must match. Null without both.
 */
export function stateForGstin(gstin: string | null, state: string | null): string | null {
  if (gstin === null) return state;
  const own = gstin.slice(0, 2);
  if (state === null || state === own) return own;
  throw new DomainError(
    'invalid_value',
    `The GSTIN belongs to ${stateName(own)}, not to ${stateName(state)}. Correct one of them.`,
  );
}

/** The fault of a GSTIN, to finish the sentence "The GSTIN …". */
function gstinFault(gstin: string, formats: readonly RegExp[]): string | undefined {
  if (!formats.some((format) => format.test(gstin))) return 'must have 15 characters like 27AAPFU0939F1ZV';
  if (!STATES.has(gstin.slice(0, 2))) return `begins with ${gstin.slice(0, 2)}, which is no state code`;
  if (!UIN.test(gstin) && checkCharacter(gstin.slice(0, 14)) !== gstin[14])
    return 'is mistyped: its last character does not fit the others';
  return undefined;
}

/**
 * Luhn's method with 36 characters: every second value counts twice, and a product of two digits counts as
 * their sum.
 */
function checkCharacter(body: string): string {
  const sum = [...body]
    .map((character, index) => Number.parseInt(character, 36) * (1 + (index % 2)))
    .reduce((total, product) => total + Math.floor(product / 36) + (product % 36), 0);
  return ((36 - (sum % 36)) % 36).toString(36).toUpperCase();
}

/** `Jammu & Kashmir` is spelled like `jammu and kashmir`. */
function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z0-9]/g, '');
}
