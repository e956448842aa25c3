import type { DeskRole } from '../../../../platform/access/access-rule.js';
import { DomainError } from '../../../../platform/errors/domain-error.js';
import type { ParcelException } from '../../../orders/rules/goods-state.js';
import type { LineQuantity, LineUnits } from '../../../orders/rules/order-units.js';
import { reportedFields, unitsToReturn } from '../../../orders/rules/parcel-exception.js';
import { rtoKey } from '../../../orders/rules/return-request.js';
import type { ParcelFacts } from '../../../orders/rules/undo-steps.js';

export interface ReportInput {
  /** All parcels that are on their way by default. */
  parcel: number | null;
  exception: ParcelException;
}

/** What a report does to one parcel. */
export interface ReportEffects {
  parcel: number;
  exception: ParcelException;
  /** In the history of the order. */
  correction: ReturnType<typeof reportedFields>;
  /** The goods of the parcel that are in no return yet. A person receives them. */
  returns?: { lines: LineQuantity[]; reason: string; note: null; key: string };
}

/** A courier, or a person, says that a parcel does not reach the customer. Goods and money move later. */
export const reportException = {
  role: 'packer' satisfies DeskRole as DeskRole,
  decide(
    order: { parcels: readonly ParcelFacts[]; lines: readonly LineUnits[] },
    { parcel: number, exception }: ReportInput,
  ): ReportEffects[] | { refused: string } {
    const parcels = order.parcels.filter(
      ({ parcel, deliveredAt, exception: recorded }) =>
        parcel === (number ?? parcel) &&
        deliveredAt === null &&
        recorded !== 'returned' &&
        recorded !== exception,
    );
    if (parcels.length === 0)
      return { refused: 'Its parcel was delivered, came back, or has this report already.' };
    return parcels.map(({ parcel, lines, exception: recorded }) => {
      const correction = reportedFields(parcel, recorded, exception);
      if (exception !== 'returned') return { parcel, exception, correction };
      if (lines.length === 0 && number !== null) throw NO_GOODS;
      const back = unitsToReturn(lines, order.lines);
      const reason = `RTO: the courier brought parcel ${parcel} back`;
      const returns = { lines: back, reason, note: null, key: rtoKey(parcel) };
      return { parcel, exception, correction, ...(back.length > 0 && { returns }) };
    });
  },
};

const NO_GOODS = new DomainError(
  'invalid_value',
  'This box has no goods of its own. Choose the parcel that names the goods, or ask for a return of them.',
);
