import type { FieldError } from '../../platform/errors/domain-error.js';
import { isPlainObject } from '../../platform/validation/named-fields.js';
import { ownText } from './own-text.js';
import { withinBytes } from './within-bytes.js';

/** What was wrong with one field. */
export interface KeptFault {
  field: string;
  code: string;
  /** Not there where it could repeat what is the customer's. */
  message?: string;
  /** Which SKU the line named, as far as it can be read. */
  sku?: string;
}

/**
 * The fields of a body that are the store's own. Of all others, those to come included, the code has to do: a message may repeat what was
 * sent, and of customers nothing is kept.
 */
const OWN_FIELDS = /^(body$|expected_total$|items\b|store_order_id$)/;

const LINE = /^items\[(\d+)\]/;

/** A fault of a parameter tells nothing but what its class says of it. */
export function keptFaults(
  errors: readonly FieldError[],
  body: unknown,
  parameters: ReadonlySet<string>,
  mostBytes: number,
): KeptFault[] {
  return withinBytes(
    errors.map(({ field, code, message }) => {
      const isOwn = OWN_FIELDS.test(field) || parameters.has(field);
      const sku = skuOf(field, body);
      return { field, code, ...(isOwn && { message }), ...(sku !== null && { sku }) };
    }),
    mostBytes,
  );
}

function skuOf(field: string, body: unknown): string | null {
  const line = LINE.exec(field)?.[1];
  if (line === undefined || !isPlainObject(body) || !Array.isArray(body.items)) return null;
  const item = (body.items as unknown[])[Number(line)];
  return isPlainObject(item) ? ownText(item.sku) : null;
}
