import { DomainError } from '../../platform/errors/domain-error.js';
import { OTHER_NAMES, STATES } from './gst-codes.js';
import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';

/** State, PAN, number of the registration, a letter (mostly Z), check character. */
const FORMAT = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][1-9A-JZ][0-9A-Z]$/;

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
export function parseGstin(text: string): string {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  const fault = gstinFault(gstin);
  if (fault !== undefined) throw new DomainError('invalid_value', `The GSTIN ${fault}.`);
  return gstin;
}

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
function gstinFault(gstin: string): string | undefined {
  if (!FORMAT.test(gstin)) return 'must have 15 characters like 27AAPFU0939F1ZV';
  if (!STATES.has(gstin.slice(0, 2))) return `begins with ${gstin.slice(0, 2)}, which is no state code`;
  if (checkCharacter(gstin.slice(0, 14)) !== gstin[14])
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
