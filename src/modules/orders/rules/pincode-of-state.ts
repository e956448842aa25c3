import { isIndia } from '../../../platform/validation/countries.js';
import { stateWithoutPin } from '../../../platform/validation/pin-codes.js';

export interface OrderWarning {
  field: string;
  code: string;
  message: string;
}

interface Destination {
  state: string;
  pincode: string;
  country?: string;
}

/** A parcel with the PIN code of another state takes weeks. People mistype either, so it is no refusal. */
export function findWarnings(destination: Destination | undefined): OrderWarning[] {
  if (!destination || !isIndia(destination.country)) return [];
  const pincode = destination.pincode.trim();
  const state = stateWithoutPin(destination.state, pincode);
  if (state === undefined) return [];
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
