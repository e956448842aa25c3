import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';
import { UNIT_CODES } from './gst-codes.js';

/** What the law, and the size of the seller, allow for goods. */
export interface GoodsLaw {
  /** Further rates, in hundredths of a percent. */
  moreGstRates: readonly number[];
  /** The least digits of an HSN code: 6 from a turnover of ₹5 crore on (Notification 78/2020). */
  hsnDigits: number;
}

/** In hundredths of a percent. 12 and 28 are for goods that still have them. */
const GST_RATES = [0, 10, 25, 150, 300, 500, 1_200, 1_800, 2_800, 4_000];

/** Why a rate is none of GST, to finish the sentence "the GST rate …". */
export function gstRateFault(rate: number, { moreGstRates }: GoodsLaw): string | undefined {
  const known = [...GST_RATES, ...moreGstRates].toSorted((a, b) => a - b);
  if (known.includes(rate)) return undefined;
  if (known.includes(rate * 100)) return `must be in percent: ${rate}, not ${rate / 100}`;
  return `must be empty or a rate of GST: ${known.map((each) => each / 100).join(', ')}`;
}

/** Chapters of the tariff. 77 is kept free, 98 has no goods of trade, and 99 are services. */
const isChapter = (chapter: number) => (chapter >= 1 && chapter <= 97 && chapter !== 77) || chapter === 99;

/**
 * Why a text is no HSN code, to finish the sentence "the HSN code …". Spreadsheets drop leading zeros, so an
 * odd number of digits is a mistake.
 */
export function hsnFault(text: string, { hsnDigits }: GoodsLaw): string | undefined {
  if (text === '') return undefined;
  const lengths = [4, 6, 8].filter((length) => length >= hsnDigits);
  if (!/^\d+$/.test(text) || !lengths.includes(text.length))
    return (
      `must be empty or an HSN code of ${lengths.join(', ').replace(/, (?=\d$)/, ' or ')} digits. ` +
      'Spreadsheets drop its leading zero'
    );
  return isChapter(Number(text.slice(0, 2)))
    ? undefined
    : `must begin with a chapter of the tariff, and ${text.slice(0, 2)} is none`;
}

/** Why a text is no code, to finish the sentence "unit …". */
export function unitCodeFault(text: string): string | undefined {
  if (UNIT_CODES.has(text)) return undefined;
  const near = nearestTo([...UNIT_CODES.keys()], (code) => editsTo(UNIT_CODES.get(code)!, text));
  return near === undefined
    ? 'must be empty or a unit quantity code of GST, such as NOS, PCS, KGS, BOX or SET'
    : `must be empty or a unit quantity code of GST: for ${UNIT_CODES.get(near)} it is ${near}`;
}
