import { UNIT_CODES } from './gst-codes.js';
import { editsTo, nearestTo } from '../platform/validation/similar-names.js';

/** Why a text is no code, to finish the sentence "unit …". */
export function unitCodeFault(text: string): string | undefined {
  if (UNIT_CODES.has(text)) return undefined;
  const near = nearestTo([...UNIT_CODES.keys()], (code) => editsTo(UNIT_CODES.get(code)!, text));
  return near === undefined
    ? 'must be empty or a unit quantity code of GST, such as NOS, PCS, KGS, BOX or SET'
    : `must be empty or a unit quantity code of GST: for ${UNIT_CODES.get(near)} it is ${near}`;
}
