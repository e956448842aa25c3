import type { FieldError } from '../../../platform/errors/domain-error.js';
import { isPlainObject } from '../../../platform/validation/plain-object.js';
import { isStorableText, isWithin } from '../../../platform/validation/texts.js';

/** A fault of one field. */
export interface KeptFault {
  field: string;
  code: string;
  /** Left out where it could repeat customer data. */
  message?: string;
  /** The SKU of the line, if it was readable. */
  sku?: string;
  requested?: number;
  available?: number;
}

/** The readable parts of a line of a refused order. */
export interface RequestedItem {
  sku: string | null;
  quantity: number | null;
}

/** SKUs and store order ids are never longer. */
const MAX_LENGTH = 64;

/** A token may be sent in any field. */
const TOKEN = /wha_(?:[a-z]+_)?[0-9A-Za-z]{40}/;

/**
 * Messages of other fields are dropped: they may repeat customer data. The empty field is the whole request.
 */
const OWN_FIELDS = /^($|body$|expected_total$|items\b|lines\b|store_order_id$)/;

const LINE = /^items\[(\d+)\]/;

const FAULTS_BYTES = 4_096;

const MAX_ITEMS = 20;

/** For faults without a message. */
const WORDS: Record<string, string> = {
  required: 'is required',
  wrong_type: 'has the wrong type',
  invalid_text: 'has a character that is not allowed',
  too_long: 'is too long',
  invalid_email: 'is not an email address',
  invalid_pincode: 'is not a PIN code of that country',
  invalid_phone: 'is not a phone number of that country',
  unknown_state: 'is not an Indian state',
  country_not_served: 'is not a country that is served',
};

/** A SKU or store order id that is safe to keep, else null. */
export function ownText(value: unknown): string | null {
  const isOwn =
    typeof value === 'string' && isStorableText(value) && isWithin(MAX_LENGTH, value) && !TOKEN.test(value);
  return isOwn ? value : null;
}

/** The first lines of the order. Nothing else of a body is kept. */
export function readRequestedItems(body: unknown): RequestedItem[] {
  return itemsOf(body)
    .slice(0, MAX_ITEMS)
    .map((item) => {
      const { sku, quantity } = isPlainObject(item) ? item : {};
      return { sku: ownText(sku), quantity: typeof quantity === 'number' ? quantity : null };
    });
}

/**
 * The first faults up to the limit, and the number of the others. Messages about parameters repeat no values.
 */
export function keptFaults(
  errors: readonly FieldError[],
  body: unknown,
  parameters: ReadonlySet<string>,
  maxBytes = FAULTS_BYTES,
): KeptFault[] {
  const kept: KeptFault[] = [];
  let bytes = 0;
  for (const error of errors) {
    const fault = keptFault(error, body, parameters);
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    if (bytes > maxBytes) {
      const message = `and ${errors.length - kept.length} more`;
      return [...kept, { field: '', code: 'not_kept', message }];
    }
    kept.push(fault);
  }
  return kept;
}

export function faultWords({ code, message }: KeptFault): string {
  return message ?? WORDS[code] ?? code.replaceAll('_', ' ');
}

function keptFault(error: FieldError, body: unknown, parameters: ReadonlySet<string>): KeptFault {
  const { field, code, message, requested, available } = error;
  const isOwn = OWN_FIELDS.test(field) || parameters.has(field);
  const item = itemsOf(body)[Number(LINE.exec(field)?.[1])];
  const sku = isPlainObject(item) ? ownText(item.sku) : null;
  return {
    field,
    code,
    ...(isOwn && { message }),
    ...(sku !== null && { sku }),
    ...(typeof requested === 'number' && { requested }),
    ...(typeof available === 'number' && { available }),
  };
}

function itemsOf(body: unknown): unknown[] {
  return isPlainObject(body) && Array.isArray(body.items) ? (body.items as unknown[]) : [];
}
