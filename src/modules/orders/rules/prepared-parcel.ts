import { type OrderStep, shipStep, type StepResult } from './order-steps.js';
import type { OrderState } from './order-transitions.js';
import { formatLineQuantities, type LineQuantity, type PricedLine } from './order-units.js';
import type { ParcelFacts } from './undo-steps.js';

/** The next parcel of an order. Its invoice is issued, and its goods are still here. */
export interface PreparedUnits {
  parcel: number;
  lines: readonly LineQuantity[];
  preparedAt: Date;
}

/** Chooses the units of the next parcel, or all that are left. Its invoice is issued; nothing moves. */
export function prepareStep(
  order: OrderState,
  lines: readonly PricedLine[],
  requested: LineQuantity[] | undefined,
  prepared: PreparedUnits | null,
): StepResult {
  if (prepared) return { refused: `Parcel ${prepared.parcel} has its invoice already.` };
  if (requested?.length === 0) return { refused: 'A further box has no invoice.' };
  const step = shipStep(order, lines, requested);
  if ('refused' in step) return step;
  const { units } = step as OrderStep;
  return { status: order.status, paymentStatus: order.paymentStatus, stock: 'none', units };
}

/** Ships the prepared parcel as it was invoiced. Without one, ships the given units or all. */
export function shipPreparedStep(
  order: OrderState,
  lines: readonly PricedLine[],
  { lines: requested, noInvoice }: { lines?: LineQuantity[]; noInvoice?: string },
  prepared: PreparedUnits | null,
): StepResult {
  if (!prepared) return shipStep(order, lines, requested);
  const invoiced = formatLineQuantities(prepared.lines);
  if (noInvoice !== undefined) return { refused: `Parcel ${prepared.parcel} has its invoice already.` };
  if (requested && formatLineQuantities(requested) !== invoiced)
    return {
      refused:
        `The invoice of parcel ${prepared.parcel} has these units: ${invoiced}. Ship them, or take back ` +
        'the invoice.',
    };
  return shipStep(order, lines, [...prepared.lines]);
}

/** Refuses to cancel units that are invoiced. Without lines the whole order is cancelled. */
export function cancelRefusal(
  requested: readonly LineQuantity[] | undefined,
  prepared: PreparedUnits | null,
): { refused: string } | undefined {
  if (!prepared) return undefined;
  const isInvoiced = ({ line }: LineQuantity) => prepared.lines.some((one) => one.line === line);
  if (requested && !requested.some(isInvoiced)) return undefined;
  return { refused: `Parcel ${prepared.parcel} has its invoice already. Take back the invoice first.` };
}

/** The parcels with the prepared one, which is the newest. */
export function withPrepared(parcels: readonly ParcelFacts[], prepared: PreparedUnits | null): ParcelFacts[] {
  if (!prepared) return [...parcels];
  const { parcel, lines } = prepared;
  const open = { courier: 'invoiced', trackingNumber: null, deliveredAt: null, exception: null };
  return [...parcels, { ...open, parcel, lines, isPrepared: true }];
}
