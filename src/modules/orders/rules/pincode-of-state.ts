import { isIndia } from '../../../platform/validation/countries.js';
import { mayHavePin } from '../../../platform/validation/pin-codes.js';
import { type Destination, readState, stateFault } from './shipping-state.js';

export interface OrderWarning {
  field: string;
  code: string;
  message: string;
}

/**
 * A parcel with the PIN code of another state takes weeks. People mistype either, so it is no refusal.
 * Without invoices, a text that names no state is none either.
 */
export function findWarnings(destination: Destination | undefined): OrderWarning[] {
  if (!destination || !isIndia(destination.country)) return [];
  const fault = stateFault(destination);
  if (fault !== undefined) {
    const message = `${JSON.stringify(destination.state)} ${fault}.`;
    return [{ field: 'shipping.state', code: 'unknown_state', message }];
  }
  const pincode = destination.pincode.trim();
  const state = readState(destination.state, destination.country);
  if (mayHavePin(state, pincode)) return [];
  const message = `${pincode} is not in ${state}: one of the two is probably mistyped.`;
  return [{ field: 'shipping.pincode', code: 'other_state', message }];
}

/** Without warnings the answer is unchanged, to the byte. */
export function withWarnings<Answer extends object>(
  answer: Answer,
  destination: Destination | undefined,
): Answer & { warnings?: OrderWarning[] } {
  const warnings = findWarnings(destination);
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
