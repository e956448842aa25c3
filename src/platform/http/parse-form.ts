import { DomainError } from '../errors/domain-error.js';
import { isStorableText } from '../validation/texts.js';

/** Fields by their names as sent: brackets have no meaning. A repeated name has a list. */
export type FormFields = Record<string, string | string[]>;

/** More than any form has, and quick to read. */
const MAX_FIELDS = 250;

/** Parses `application/x-www-form-urlencoded`. URLSearchParams would replace invalid UTF-8. */
export function parseForm(bytes: Buffer): FormFields {
  if (bytes.length === 0) return {};
  const pairs = bytes.toString('latin1').split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS)
    throw new DomainError('body_too_complex', `A form may have at most ${MAX_FIELDS} fields.`);
  const fields = new Map<string, string | string[]>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const [name, value] = readPair(pair);
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(fields);
}

function readPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
}

function decode(text: string): string {
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded === undefined || !isStorableText(decoded))
    throw new DomainError('malformed_request', 'The form is not well-formed, or is not UTF-8.');
  return decoded;
}

function decodePercent(text: string): string | undefined {
  // Browsers percent-encode every byte beyond ASCII.
  if (/[\u0080-\u00ff]/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
