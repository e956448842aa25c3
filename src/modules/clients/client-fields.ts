import { formatMoney, formatNumber } from '../../platform/formats.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromNumeric,
  minorFromNumeric,
  numericFromMinor,
  parseAmount,
} from '../../platform/money/money.js';
import type { Settings } from '../../platform/settings/settings.js';
import { inSnakeCase } from '../../platform/snake-case.js';
import { isTimeZone, type TimeZone } from '../../platform/time/time.js';
import type { DescribedField } from '../../platform/validation/described-field.js';
import { MAX_EMAIL_LENGTH, readEmail } from '../../platform/validation/email.js';
import { readField, readFields } from '../../platform/validation/readers.js';
import { readLine, readOptionalLine } from '../../platform/validation/texts.js';
import { parseWholeNumber } from '../../platform/validation/whole-numbers.js';
import { GST_CATEGORIES, type GstCategory, STATES } from '../tax/gst-codes.js';
import { checkGstCategory, parseClientGstin, stateForGstin, stateName, parseState } from '../tax/gstin.js';
import type { Client } from './client.entity.js';

type DisplaySettings = Pick<Settings, 'currency' | 'timeZone'>;

interface ClientField<Value> extends DescribedField {
  /** Parses a text, or refuses it. */
  read(text: string): Value;
  /** The value as typed text, if it differs from the stored text. */
  typed?(value: Value): string;
  words?(value: Value, settings: DisplaySettings): string;
  /** The value in answers and the audit log, if it differs from the stored value. */
  answer?(value: Value): number | null;
  /** The setting that counts while the field has no value. */
  setting?: string;
  /** Only for a wholesaler that issues invoices. Owners may set these fields too. */
  isTax?: true;
}

const MAX_NAME_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 300;
const MAX_ORDERS_LIMIT = 1_000_000_000;

/**
 * The fields of a client that people set. Facts, forms, commands, the audit log and the check of an old form
 * follow from this list.
 */
export const CLIENT_FIELDS = {
  name: {
    label: 'Name',
    maxLength: MAX_NAME_LENGTH,
    isRequired: true,
    read: (text) => readLine('name', text, MAX_NAME_LENGTH),
  },
  email: {
    label: 'E-mail address',
    maxLength: MAX_EMAIL_LENGTH,
    isRequired: true,
    inputType: 'email',
    read: readEmail,
  },
  unpaidValueLimit: {
    label: 'Limit of unpaid value',
    setting: 'UNPAID_VALUE_LIMIT',
    hint: 'An amount, “none”, or “default” for the value of the settings.',
    maxLength: 30,
    isRequired: true,
    read: readValueLimit,
    typed: limitTyped,
    words: (limit, { currency }) =>
      limitWords(limit, (numeric) => formatMoney(minorFromNumeric(numeric), currency)),
    answer: (limit) => (limit === null ? null : amountFromNumeric(limit)),
  },
  unpaidOrdersLimit: {
    label: 'Limit of unpaid orders',
    setting: 'UNPAID_ORDERS_LIMIT',
    hint: 'A number, “none”, or “default” for the value of the settings.',
    maxLength: 30,
    isRequired: true,
    read: readOrdersLimit,
    typed: limitTyped,
    words: (limit) => limitWords(limit, formatNumber),
  },
  timeZone: {
    label: 'Time zone',
    setting: 'TIME_ZONE',
    hint: 'Such as Asia/Kolkata, or “default” for the zone of the settings.',
    maxLength: 100,
    isRequired: true,
    read: readTimeZone,
    typed: (zone) => zone ?? 'default',
    words: (zone, { timeZone }) => zone ?? `${timeZone}, as in the settings`,
  },
  gstin: {
    label: 'GSTIN',
    hint: '15 characters. It sets the state too. Empty if the business is not registered.',
    maxLength: 30,
    isTax: true,
    read: (text) => orNull(text, parseClientGstin),
  },
  gstCategory: {
    label: 'GST category',
    hint: 'An embassy or UN body has its UIN as GSTIN.',
    options: [
      { value: '', text: 'Ordinary business or person' },
      ...Object.entries(GST_CATEGORIES).map(([value, text]) => ({ value, text })),
    ],
    isTax: true,
    read: (text) => orNull(text, readCategory) as GstCategory | null,
    words: (category) => (category === null ? 'Ordinary' : GST_CATEGORIES[category]),
  },
  state: {
    label: 'State for GST',
    hint: 'Decides which tax applies.',
    options: [
      { value: '', text: 'As in the GSTIN' },
      ...[...STATES].map(([value, text]) => ({ value, text: `${text} (${value})` })),
    ],
    isTax: true,
    read: (text) => orNull(text, parseState),
    words: (state) => (state === null ? 'Not set' : stateName(state)),
  },
  billingAddress: {
    label: 'Billing address',
    hint: 'The registered address of the business, on one line.',
    maxLength: MAX_ADDRESS_LENGTH,
    isTax: true,
    read: (text) => readOptionalLine('billing address', text, MAX_ADDRESS_LENGTH) ?? null,
  },
} as const satisfies { [Name in keyof Client]?: ClientField<Client[Name]> };

export type ClientFieldName = keyof typeof CLIENT_FIELDS;

export type ClientValues = Pick<Client, ClientFieldName>;

/** New texts of fields. */
export type ClientChange = Partial<Record<ClientFieldName, string>>;

const fieldOf = (name: ClientFieldName) => CLIENT_FIELDS[name] as ClientField<string | number | null>;

export const CLIENT_NAMES = Object.keys(CLIENT_FIELDS) as ClientFieldName[];

export const TAX_NAMES = CLIENT_NAMES.filter((name) => fieldOf(name).isTax);

export const clientNames = (hasTax: boolean) =>
  hasTax ? CLIENT_NAMES : CLIENT_NAMES.filter((name) => !fieldOf(name).isTax);

export const givesTax = (change: ClientChange) => TAX_NAMES.some((name) => change[name] !== undefined);

export const clientTyped = (client: ClientValues) => (name: ClientFieldName) =>
  fieldOf(name).typed?.(client[name]) ?? String(client[name] ?? '');

export const clientWords = (client: ClientValues, settings: DisplaySettings) => (name: ClientFieldName) =>
  fieldOf(name).words?.(client[name], settings) ?? String(client[name] ?? 'Not set');

/** The setting that the words of a field without a value refer to. */
export const settingOf = (client: ClientValues, name: ClientFieldName) =>
  client[name] === null ? fieldOf(name).setting : undefined;

/** The values of a form as a text that it sends back, to notice another person's change. */
export const clientAsText = (client: ClientValues, names = CLIENT_NAMES) =>
  JSON.stringify(names.map((name) => client[name]));

/** Parses the given fields. Reports all faults at once, by field. */
export function readClient(change: ClientChange, names = CLIENT_NAMES): Partial<ClientValues> {
  const changed = names.filter((name) => change[name] !== undefined);
  return readFields<Record<string, unknown>>(
    Object.fromEntries(changed.map((name) => [name, () => fieldOf(name).read(change[name]!)])),
  );
}

/** Checks the category, and adds the state: a new GSTIN sets its state, unless a state is given. */
export function withState<Values extends Partial<ClientValues>>(
  values: Values,
  before: Pick<ClientValues, 'gstin' | 'gstCategory' | 'state'> = {
    gstin: null,
    gstCategory: null,
    state: null,
  },
): Values {
  const { gstin = before.gstin, gstCategory = before.gstCategory } = values;
  if (values.gstin !== undefined || values.gstCategory !== undefined)
    readField('gstCategory', () => checkGstCategory(gstCategory, gstin));
  if (values.gstin === undefined && values.state === undefined) return values;
  const { state = values.gstin ? null : before.state } = values;
  return { ...values, state: readField('state', () => stateForGstin(gstin, state)) };
}

type AnswerValues = Record<ClientFieldName, string | number | null>;

/** A client in the answers of commands, and in the audit log. */
export function clientAnswer(client: ClientValues & Pick<Client, 'id' | 'suspendedAt'>) {
  const { id: clientId, suspendedAt } = client;
  const values = CLIENT_NAMES.map((each) => [each, fieldOf(each).answer?.(client[each]) ?? client[each]]);
  const { name, email, ...terms } = Object.fromEntries(values) as AnswerValues;
  return inSnakeCase({ clientId, name, email, suspendedAt, ...terms });
}

/** A limit is null for the value of the settings, and 0 if there is none. */
function limitWords<Limit extends string | number>(
  limit: Limit | null,
  format: (limit: Limit) => string,
): string {
  if (limit === null) return 'As in the settings';
  return Number(limit) === 0 ? 'None' : format(limit);
}

function limitTyped(limit: string | number | null): string {
  return limit === null ? 'default' : Number(limit) === 0 ? 'none' : String(Number(limit));
}

function readValueLimit(text: string): string | null {
  return readLimit(text, '0.00', (typed) => {
    const parsed = parseAmount(typed);
    if ('fault' in parsed || parsed.hundredths <= 0 || parsed.hundredths >= 10 ** 15)
      throw wrong('The limit of unpaid value', 'an amount of more than 0');
    return numericFromMinor(parsed.hundredths);
  });
}

function readOrdersLimit(text: string): number | null {
  return readLimit(text, 0, (typed) => {
    const limit = parseWholeNumber(typed, 1, MAX_ORDERS_LIMIT);
    if (limit === undefined) throw wrong('The limit of unpaid orders', 'a whole number from 1 on');
    return limit;
  });
}

function readLimit<Limit>(text: string, none: Limit, read: (typed: string) => Limit): Limit | null {
  const typed = text.trim();
  if (typed === 'default') return null;
  return typed === 'none' ? none : read(typed);
}

function wrong(what: string, must: string): DomainError {
  return new DomainError('invalid_value', `${what} must be ${must}, none, or default.`);
}

function readTimeZone(text: string): TimeZone | null {
  const typed = text.trim();
  if (typed === '' || typed === 'default') return null;
  if (isTimeZone(typed)) return typed;
  throw new DomainError(
    'invalid_value',
    'The time zone must be a name such as Asia/Kolkata or Europe/Berlin, or default.',
  );
}

function readCategory(text: string): string {
  const category = text.trim().toLowerCase();
  if (Object.hasOwn(GST_CATEGORIES, category)) return category;
  throw new DomainError(
    'invalid_value',
    `The GST category must be ${Object.keys(GST_CATEGORIES).join(', ')} or empty. ` +
      'Invoices of exports are not supported.',
  );
}

function orNull(text: string, read: (text: string) => string): string | null {
  return text.trim() === '' ? null : read(text);
}
