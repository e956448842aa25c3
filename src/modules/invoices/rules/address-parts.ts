import { isPincode, mayHavePin, readPincode } from '../../../platform/validation/pin-codes.js';
import { INDIA } from '../../../platform/validation/countries.js';
import { STATES } from '../../tax/gst-codes.js';
import { stateInAddress } from '../../tax/gstin.js';

/** The parts of an address in the schema of e-invoices, besides the state. */
export interface AddressParts {
  line: string;
  place: string;
  pin: number;
}

const MAX_ADDRESS_LINE_LENGTH = 200;
const MAX_PLACE_LENGTH = 50;

const PIN = /[1-9]\d{2}[ -]?\d{3}$/;
const PIN_WORD = /\bpin ?(?:code)?$/i;
const SEPARATORS = ' .:-–';

/** States whose city has the same name. */
const CITY_STATES = ['04', '07', '34'];

/**
 * The parts of an address that ends with its place and PIN code: "12 MG Road, Bengaluru 560001". The state
 * and India may stand beside them. Undefined if the parts are not certain.
 */
export function addressParts(address: string, state: string): AddressParts | undefined {
  const all = segmentsOf(address);
  if (all.at(-1)?.toLowerCase() === 'india') all.pop();
  const text = withoutState(all, state);
  const pin = PIN.exec(text);
  if (!pin) return undefined;
  const before = trimSeparators(text.slice(0, pin.index)).replace(PIN_WORD, '');
  const rest = withoutState(segmentsOf(before), state);
  const comma = rest.lastIndexOf(', ');
  if (comma === -1) return undefined;
  const [line, place] = [rest.slice(0, comma), rest.slice(comma + 2)];
  return checkedParts({ line, place, pin: pin[0] }, state);
}

/** The parts of a delivery, which has them already. */
export function deliveryParts(
  { address, city, pincode }: { address: string; city: string; pincode: string },
  state: string | undefined,
): AddressParts | undefined {
  return checkedParts({ line: trimSeparators(address), place: trimSeparators(city), pin: pincode }, state);
}

function checkedParts(
  { line, place, pin: pinText }: { line: string; place: string; pin: string },
  state: string | undefined,
): AddressParts | undefined {
  const pin = readPincode(pinText, INDIA);
  const isPlace = place !== '' && place.length <= MAX_PLACE_LENGTH && !/\d/.test(place);
  const isLine = line !== '' && line.length <= MAX_ADDRESS_LINE_LENGTH;
  const name = state && STATES.get(state);
  const isPin = isPincode(pin, INDIA) && name !== undefined && mayHavePin(name, pin);
  return isLine && isPlace && isPin ? { line, place, pin: Number(pin) } : undefined;
}

const segmentsOf = (text: string) => text.split(/[,\n]/).map(trimSeparators).filter(Boolean);

/** Without the name of the state at its end, unless that is the place too. */
function withoutState(segments: readonly string[], state: string): string {
  const names = segments.slice(CITY_STATES.includes(state) ? -2 : -1);
  const end = names.every((name) => stateInAddress(name) === state) ? -1 : undefined;
  return segments.slice(0, end).join(', ');
}

/** Without separators at its end, and with single blanks. */
function trimSeparators(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  const end = letters.findLastIndex((letter) => !SEPARATORS.includes(letter));
  return letters.slice(0, end + 1).join('');
}
