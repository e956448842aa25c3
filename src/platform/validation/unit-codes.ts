import { editsTo, nearestTo } from './similar-names.js';

/** The unit quantity codes (UQC) of the GST portal, with its names for them. */
export const UNIT_CODES: ReadonlyMap<string, string> = new Map([
  ['BAG', 'BAGS'],
  ['BAL', 'BALE'],
  ['BDL', 'BUNDLES'],
  ['BKL', 'BUCKLES'],
  ['BOU', 'BILLION OF UNITS'],
  ['BOX', 'BOX'],
  ['BTL', 'BOTTLES'],
  ['BUN', 'BUNCHES'],
  ['CAN', 'CANS'],
  ['CBM', 'CUBIC METERS'],
  ['CCM', 'CUBIC CENTIMETERS'],
  ['CMS', 'CENTIMETERS'],
  ['CTN', 'CARTONS'],
  ['DOZ', 'DOZENS'],
  ['DRM', 'DRUMS'],
  ['GGK', 'GREAT GROSS'],
  ['GMS', 'GRAMMES'],
  ['GRS', 'GROSS'],
  ['GYD', 'GROSS YARDS'],
  ['KGS', 'KILOGRAMS'],
  ['KLR', 'KILOLITRE'],
  ['KME', 'KILOMETRE'],
  ['LTR', 'LITRES'],
  ['MLT', 'MILILITRE'],
  ['MTR', 'METERS'],
  ['MTS', 'METRIC TON'],
  ['NOS', 'NUMBERS'],
  ['OTH', 'OTHERS'],
  ['PAC', 'PACKS'],
  ['PCS', 'PIECES'],
  ['PRS', 'PAIRS'],
  ['QTL', 'QUINTAL'],
  ['ROL', 'ROLLS'],
  ['SET', 'SETS'],
  ['SQF', 'SQUARE FEET'],
  ['SQM', 'SQUARE METERS'],
  ['SQY', 'SQUARE YARDS'],
  ['TBS', 'TABLETS'],
  ['TGM', 'TEN GROSS'],
  ['THD', 'THOUSANDS'],
  ['TON', 'TONNES'],
  ['TUB', 'TUBES'],
  ['UGS', 'US GALLONS'],
  ['UNT', 'UNITS'],
  ['YDS', 'YARDS'],
]);

/** Why a text is no code, to finish the sentence "unit …". */
export function unitCodeFault(text: string): string | undefined {
  if (UNIT_CODES.has(text)) return undefined;
  const near = nearestTo([...UNIT_CODES.keys()], (code) => editsTo(UNIT_CODES.get(code)!, text));
  return near === undefined
    ? 'must be empty or a unit quantity code of GST, such as NOS, PCS, KGS, BOX or SET'
    : `must be empty or a unit quantity code of GST: for ${UNIT_CODES.get(near)} it is ${near}`;
}
