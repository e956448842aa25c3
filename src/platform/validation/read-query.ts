import { parse } from 'node:querystring';
import { DomainError, type FieldError } from '../errors/domain-error.js';
import type { NamedField } from './named-fields.js';
import { editsTo, spellingOf } from './similar-names.js';

type Parameter = Pick<NamedField, 'name' | 'isList'>;

/** The form in which PHP and axios send a list. */
const IN_BRACKETS = /^([^[]+)\[\d{0,4}\]$/;

/** A filter or a page as in JSON:API. */
const FAMILY = /^(?:filter|page)\[([^\]]{1,64})\]$/;

const MAX_REPORTED_LENGTH = 64;

/** As in Node's own parser. */
const MAX_PAIRS = 1_000;

/** The known parameter that is sent under this name. */
export function parameterOf(sent: string, known: readonly Parameter[]): string | undefined {
  if (known.some(({ name }) => name === sent)) return sent;
  const list = IN_BRACKETS.exec(sent)?.[1];
  return known.find(({ name, isList }) => isList && name === list)?.name;
}

type SentValue = string | string[];

/** Names and values of a query, as they were sent. */
export function pairsOf(text: string): [name: string, value: string][] {
  return text.split('&', MAX_PAIRS).map((pair) => {
    const end = pair.indexOf('=');
    return end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
  });
}

/** The known parameters. A list is one, however it is spelt. Decoding hides which commas separate. */
export function readQuery(query: string, known: readonly Parameter[]): Record<string, SentValue> {
  const read: Record<string, SentValue> = {};
  for (const [sent, text] of pairsOf(query)) {
    const name = parameterOf(sent, known) ?? parameterOf(decodeName(sent), known);
    if (name === undefined) continue;
    const isList = known.some((one) => one.name === name && one.isList);
    const value = isList ? splitEncoded(text, name) : decodeValue(text, name);
    read[name] = Object.hasOwn(read, name) ? [read[name]!, value].flat() : value;
  }
  return read;
}

/** A comma that is encoded beside plain ones belongs to a name: generated clients encode each name alone. */
function splitEncoded(text: string, name: string): SentValue {
  const separates = text.includes(',') && /%2c/i.test(text);
  return separates ? text.split(',').map((part) => decodeValue(part, name).trim()) : decodeValue(text, name);
}

export function decodeName(name: string): string {
  try {
    return decode(name);
  } catch {
    return name;
  }
}

function decodeValue(text: string, name: string): string {
  try {
    return decode(text);
  } catch (cause) {
    throw new DomainError(
      'malformed_request',
      `The value of the query parameter "${name}" is not UTF-8 in percent-encoding.`,
      { cause },
    );
  }
}

const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

export interface SentList {
  /** The text that was sent alone: perhaps one name with a comma. */
  whole?: string;
  names: string[];
}

/** Several values are never split. */
export function readList(sent: SentValue): SentList {
  if (typeof sent !== 'string') return { names: sent };
  return { whole: sent, names: sent.split(',').map((name) => name.trim()) };
}

const FIRST_DAY_NAMES =
  'created_after created_since created_at_min created_at date_from from_date from start_date date after';
const LAST_DAY_NAMES = 'created_before created_until created_at_max date_to to_date to until end_date before';

/** Names of other APIs for paging and filters. To ignore them would give an answer that looks right. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cursor:
    'page page_number page_no page_token next_page next_token next_cursor offset skip start starting_after ' +
    'after continuation_token',
  limit: 'per_page page_size page_limit max_results size count take top first',
  since:
    'updated_since updated_after updated_from updated_at_min updated_at modified_since modified_after ' +
    'changed_since changed_after last_modified last_sync sync_token created_after created_since ' +
    'created_at_min',
  created_from: FIRST_DAY_NAMES,
  created_to: LAST_DAY_NAMES,
  issued_from:
    `${FIRST_DAY_NAMES} issued_after issued_since issued_at issued_on created_from ` +
    'since updated_since updated_after',
  issued_to: `${LAST_DAY_NAMES} issued_before issued_until created_to`,
  status: 'state order_status',
  payment_status: 'financial_status payment_state',
  store_order_id: 'id order_id order_reference reference external_id',
  orders: 'ids order_ids order_number order_numbers order_no number numbers store_order_ids',
  documents: 'document_number invoice invoice_number invoice_no number',
  skus: 'ids product_skus product_ids products',
  category: 'category_id category_name categories collection product_type',
  search: 'q query keyword keywords name sku',
  in_stock: 'available availability stock_status',
  expand: 'include embed fields',
  /** No list has these. */
  filter:
    'filters where customer customer_id customer_name customer_email customer_phone email phone pincode ' +
    'tracking_number awb price price_min price_max min_price max_price variation type kind document_type',
};

const PAGING = new Set(['cursor', 'limit']);

/** Guesses of its name ask for fields. The answer without them is whole. */
const FIELDS = 'expand';

/** The right names by spelling. */
const RIGHT_NAMES = new Map<string, string[]>();

for (const [name, others] of Object.entries(OTHER_NAMES))
  for (const spelling of [name, ...others.split(' ')].map(spellingOf))
    RIGHT_NAMES.set(spelling, [...(RIGHT_NAMES.get(spelling) ?? []), name]);

/** What a list knows about parameters that it does not have. */
export interface OtherParameters {
  /** Where else to find what a parameter asks for, by its right name. */
  advice: Readonly<Record<string, string>>;
  /** The lists that have the parameter, such as "GET /api/stock". */
  listsWith(name: string): string[];
}

/**
 * Parameters that differ from a known one by brackets, case or one letter, those of other lists, and those
 * that other APIs use for paging and filters: without them, the answer would look right. A value in brackets
 * is not repeated, because it may be customer data.
 */
export function misspeltParameters(
  query: string,
  known: readonly Parameter[],
  others: OtherParameters,
): FieldError[] {
  return Object.keys(parse(query)).flatMap((sent) => {
    if (parameterOf(sent, known) !== undefined) return [];
    const bare = sent.split('[', 1)[0]!;
    const field = `${bare.slice(0, MAX_REPORTED_LENGTH)}${bare === sent ? '' : '[]'}`;
    const named = [FAMILY.exec(sent)?.[1], bare].flatMap((name) => rightNames(name) ?? []);
    const meant =
      known.find(({ name }) => (editsTo(name, bare) ?? 2) <= 1)?.name ??
      known.find(({ name }) => named.includes(name))?.name;
    const message = meant === undefined ? absentFault(bare, named, known, others) : suggestionOf(meant, bare);
    return message === undefined
      ? []
      : [{ field, code: 'unknown_parameter', message, ...(meant && { meant }) }];
  });
}

function rightNames(sent: string | undefined): string[] | undefined {
  return sent === undefined || sent.length > MAX_REPORTED_LENGTH
    ? undefined
    : RIGHT_NAMES.get(spellingOf(sent));
}

/** Undefined for a parameter that can be left out without harm. */
function absentFault(
  sent: string,
  named: readonly string[],
  known: readonly Parameter[],
  { advice, listsWith }: OtherParameters,
): string | undefined {
  // A store that asks for the next page of a whole list would read the same page for ever.
  if (named.some((name) => PAGING.has(name))) return 'is unknown: this list has no pages';
  if (named.every((name) => name === FIELDS && spellingOf(sent) !== name)) return undefined;
  const advised = Object.keys(advice).find((name) => named.includes(name));
  if (advised !== undefined) return `is unknown; use ${advice[advised]}`;
  const elsewhere = named.flatMap((name) => listsWith(name).map((list) => `; ${list} has "${name}"`));
  const own = known.length === 0 ? 'no parameters' : known.map(({ name }) => name).join(', ');
  return `is unknown: this list has ${own}${elsewhere.join('')}`;
}

/** The values that other APIs take are not those of these two. */
const VALUES: Readonly<Record<string, string>> = {
  cursor: '"next_cursor" of the previous page',
  since: '"sync_token" of the last answer',
};

function suggestionOf(meant: string, sent: string): string {
  const value = VALUES[meant];
  return value === undefined || editsTo(meant, sent) !== undefined
    ? `is unknown; did you mean "${meant}"?`
    : `is unknown; send the ${value} as "${meant}"`;
}
