import { DELIVERY_NAMES, type DeliveryName, shortName, type ShortName } from './order-fields.js';
import type { Shipment } from './shipment.js';

export type ChangeableField = keyof Shipment | DeliveryName;

type Values<Name extends ChangeableField> = Partial<Record<Name, string | Date | null>>;

/** As forms, programs and the history of an order name them. */
export const FIELD_NAMES = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
  ...(Object.fromEntries(DELIVERY_NAMES.map((name) => [name, shortName(name)])) as {
    [Name in DeliveryName]: ShortName<Name>;
  }),
} as const satisfies Record<ChangeableField, string>;

/** The given fields that differ. Fields that are left out stay unchanged; null clears an optional one. */
export function changedFields<Name extends ChangeableField>(
  now: Values<NoInfer<Name>>,
  changes: Values<Name>,
): Name[] {
  return (Object.keys(changes) as Name[]).filter(
    (field) =>
      changes[field] !== undefined && formatField(changes[field]) !== formatField(now[field] ?? null),
  );
}

/** The old and the new values of these fields, as the history of an order keeps them. */
export function historyOf<Name extends ChangeableField>(
  fields: readonly Name[],
  now: Values<NoInfer<Name>>,
  changes: Values<Name>,
  nameOf = (name: string) => name,
): { before: Record<string, string | null>; after: Record<string, string | null> } {
  const format = (from: Values<Name>) =>
    Object.fromEntries(fields.map((field) => [nameOf(FIELD_NAMES[field]), formatField(from[field] ?? null)]));
  return { before: format(now), after: format(changes) };
}

function formatField(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}
