import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';
import { UNIT_CODES } from './gst-codes.js';

/** The rules for goods, which depend on the size of the seller. */
export interface GoodsLaw {
  /** Further rates, in hundredths of a percent. */
  moreGstRates: readonly number[];
  /** The minimum number of digits of an HSN code: 6 above a turnover of ₹5 crore (Notification 78/2020). */
  hsnDigits: number;
}

/** In percent. Few goods still have these rates. */
export const RARE_RATES = [12, 28];

export const RARE_RATE_WARNING =
  'is rare since 22 September 2025: most goods with 12 % have 5 % now, those with 28 % have 18 or 40 %';

/** In hundredths of a percent. */
const GST_RATES = [0, 10, 25, 150, 300, 500, 1_200, 1_800, 2_800, 4_000];

/** The fault of a GST rate, to finish the sentence "the GST rate …". */
export function gstRateFault(rate: number, { moreGstRates }: GoodsLaw): string | undefined {
  const rates = [...GST_RATES, ...moreGstRates].toSorted((a, b) => a - b);
  if (rates.includes(rate)) return undefined;
  if (rates.includes(rate * 100)) return `must be in percent: ${rate}, not ${rate / 100}`;
  return `must be empty or a rate of GST: ${rates.map((each) => each / 100).join(', ')}`;
}

/** Why goods at the rate 0 have no tax, by the columns of table 8 of GSTR-1. Nil rated includes "taxable". */
export const GST_TREATMENTS = {
  taxable: 'Taxable',
  nil_rated: 'Nil rated',
  exempt: 'Exempt',
  non_gst: 'Non-GST',
} as const;

export type GstTreatment = keyof typeof GST_TREATMENTS;

/** A rate above 0 makes goods taxable. */
export const treatmentAt = (rate: number, treatment: GstTreatment): GstTreatment =>
  rate > 0 ? 'taxable' : treatment;

/** Chapters of the tariff. 77 is kept free, 98 has no goods of trade, and 99 are services. */
const isChapter = (chapter: number) => (chapter >= 1 && chapter <= 97 && chapter !== 77) || chapter === 99;

/** Chapter 99 has services, which have no unit. */
export const isService = (hsn: string): boolean => hsn.startsWith('99');

/**
 * The fault of an HSN code, to finish the sentence "the HSN code …". Spreadsheets drop leading zeros, so an
 * odd number of digits is a mistake.
 */
export function hsnFault(text: string, { hsnDigits }: GoodsLaw): string | undefined {
  if (text === '') return undefined;
  const lengths = [4, 6, 8].filter((length) => length >= hsnDigits);
  if (!/^\d+$/.test(text) || !lengths.includes(text.length))
    return (
      `must be empty or an HSN code of ${lengths.join(', ').replace(/, (?=\d$)/, ' or ')} digits. ` +
      'Spreadsheets drop the leading zero'
    );
  return isChapter(Number(text.slice(0, 2)))
    ? undefined
    : `must begin with a chapter of the tariff, and ${text.slice(0, 2)} is not one`;
}

export type LengthLaw = Pick<GoodsLaw, 'hsnDigits'>;

/** The data that goods lack for an invoice, such as "HSN code of 4 digits and GST rate". */
export function missingTaxData(
  { hsn, rate }: { hsn: string; rate: number | string | null },
  { hsnDigits }: LengthLaw,
): string | undefined {
  const missing = [
    hsn.length < hsnDigits && `HSN code of ${hsnDigits} digits or more`,
    (rate === null || rate === '') && 'GST rate',
  ];
  return missing.filter(Boolean).join(' and ') || undefined;
}

/** The fault of a unit code, to finish the sentence "unit …". */
export function unitCodeFault(text: string): string | undefined {
  if (UNIT_CODES.has(text)) return undefined;
  const near = nearestTo([...UNIT_CODES.keys()], (code) => editsTo(UNIT_CODES.get(code)!, text));
  return near === undefined
    ? 'must be empty or a unit quantity code of GST, such as NOS, PCS, KGS, BOX or SET'
    : `must be empty or a unit quantity code of GST: for ${UNIT_CODES.get(near)} it is ${near}`;
}
