import type { OrderedProduct, OrderContent } from '../../modules/orders/records/order-details.js';
import {
  DELIVERY_NAMES,
  type DeliveryName,
  orderField,
  ORDER_FIELDS,
  shortName,
} from '../../modules/orders/rules/order-fields.js';
import { type LineQuantity, parseUnits } from '../../modules/orders/rules/order-units.js';
import { Field, Select } from '../../shared/ui/components/controls.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { formatVariation } from '../../read-model/products/variations.js';

interface UnitFieldsProps {
  items: readonly (Pick<OrderedProduct, 'line' | 'name' | 'sku'> & { variation: string | null })[];
  /** The maximum units of each line. */
  possible: readonly LineQuantity[];
  /** The beginning of the fields' names. */
  name?: string;
  /** The words before the name of an item. */
  label?: string;
  /** The fields begin with these units instead of 0. */
  selected?: readonly LineQuantity[];
}

export const UnitFields = ({
  items,
  possible,
  name = 'line',
  label = '',
  selected = [],
}: UnitFieldsProps) => (
  <>
    {possible.map(({ line, quantity }) => {
      const { name: product, sku, variation } = items.find((item) => item.line === line)!;
      return (
        <Field
          label={`${label}${variation ? `${product}, ${formatVariation(variation)}` : product}`}
          hint={`${sku}: up to ${quantity}`}
          name={`${name}_${line}`}
          value={String(Math.min(quantity, selected.find((one) => one.line === line)?.quantity ?? 0))}
          inputmode="numeric"
          maxlength={6}
        />
      );
    })}
  </>
);

/** The typed quantities by line. `line_1` is the only name of the first line, and is sent once. */
export function quantitiesIn(fields: FormFields, name = 'line'): Record<string, string> {
  const start = `${name}_`;
  const typed = Object.entries(fields)
    .filter(([field]) => field.startsWith(start))
    .map(([field, quantity]): [string, string] => {
      const line = field.slice(start.length);
      if (typeof quantity === 'string' && /^[1-9]\d{0,2}$/.test(line)) return [line, quantity.trim()];
      throw new DomainError('malformed_request', `The form must name each line once, such as ${start}1.`);
    });
  return Object.fromEntries(typed);
}

interface UnitRules {
  /** "returned". */
  what: string;
  name?: string;
  /** Zero units in total are valid. */
  canBeEmpty?: boolean;
}

/** The selected units. Invalid quantities become errors of their fields. */
export function unitsIn(
  possible: readonly LineQuantity[],
  quantities: Record<string, string>,
  { what, name = 'line', canBeEmpty = false }: UnitRules,
): LineQuantity[] {
  const units = Object.entries(quantities).map(([number, text]) => {
    const line = Number(number);
    const maximum = possible.find((one) => one.line === line)?.quantity ?? 0;
    const quantity = text === '' ? 0 : parseUnits(text);
    const isValid = quantity !== undefined && quantity <= maximum;
    return {
      field: `${name}_${line}`,
      line,
      quantity: quantity ?? 0,
      maximum,
      fault: isValid ? undefined : `must be a whole number from 0 to ${maximum}`,
    };
  });
  // Another person may have processed the line since the form was opened.
  const unavailable = units.find(({ quantity, maximum }) => quantity > 0 && maximum === 0);
  if (unavailable)
    throw new DomainError('conflict', `Line ${unavailable.line} of the order cannot be ${what} now.`);
  const faults = units.filter(({ fault }) => fault !== undefined);
  const selected = units.filter(({ quantity }) => quantity > 0);
  if (faults.length === 0 && selected.length === 0 && units[0] && !canBeEmpty)
    faults.push({ ...units[0], fault: 'must be more than 0 for at least one item' });
  if (faults.length === 0) return selected.map(({ line, quantity }) => ({ line, quantity }));
  const errors = faults.map(({ field, fault }) => ({ field, code: 'invalid', message: fault! }));
  throw new DomainError('invalid_value', 'Some quantities are wrong.', { errors });
}

const REASONS = [
  'Arrived damaged',
  'Wrong item',
  'Not as described',
  'Not wanted any more',
  'Another reason',
].map((reason) => ({ value: reason, text: reason }));

/** The reason for a return. */
export const ReturnReason = ({ note }: { note: string }) => (
  <>
    <Select label="Reason" name="reason" options={REASONS} required />
    <Field label={note} name="note" maxlength={500} />
  </>
);

export const DELIVERY_FIELDS = DELIVERY_NAMES.map(shortName);

export const DeliveryFields = ({ order }: { order: OrderContent }) => (
  <>
    {DELIVERY_NAMES.map((name) => {
      const { label, maxLength, type } = orderField(name);
      const field = { label, name: shortName(name), maxlength: maxLength, type };
      return <Field {...field} value={order[name]} required />;
    })}
  </>
);

/** The changed fields of a delivery with their old and new values. */
export function deliveryChanges(
  order: OrderContent,
  checked: Partial<Record<DeliveryName, string>>,
): [string, string, string][] {
  return DELIVERY_NAMES.map((name): [string, string, string] => [
    ORDER_FIELDS[name].label,
    order[name],
    checked[name] ?? order[name],
  ]).filter(([, before, after]) => before !== after);
}
