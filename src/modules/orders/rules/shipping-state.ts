import { isIndia } from '../../../platform/validation/countries.js';
import { statesOfPin } from '../../../platform/validation/pin-codes.js';
import { STATES } from '../../tax/gst-codes.js';
import { stateInAddress } from '../../tax/gstin.js';

export interface Destination {
  state: string;
  pincode: string;
  country?: string | undefined;
}

/** The name of the Indian state that a text means. Other texts stay. */
export function readState(text: string, country: string | undefined): string {
  const code = isIndia(country) ? stateInAddress(text) : undefined;
  return code === undefined ? text : STATES.get(code)!;
}

/** Why no invoice can name the state of a delivery within India. The PIN code says which one is meant. */
export function stateFault({ state, pincode, country }: Destination): string | undefined {
  if (!isIndia(country) || stateInAddress(state) !== undefined) return undefined;
  const near = statesOfPin(pincode.trim()).join(' or ');
  return `is not the name or code of an Indian state${near && `; ${pincode.trim()} is in ${near}`}`;
}
