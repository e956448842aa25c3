import { DomainError } from '../../../platform/errors/domain-error.js';

interface PastedParcel {
  /** Our number or the store's id; empty for an empty line. */
  order: string;
  tracking: string;
}

/** Much more than the longest order id and the longest tracking number. */
const MAX_LINE_LENGTH = 500;

/** Some phones and spreadsheets copy other line ends than a browser sends. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

const SEPARATOR = /[\s,;]/;

/** "WO-20260131-7K3QZ-9M2XA 1234567890": the order, then everything else is its tracking number. */
export function parsePastedParcels(text: string): PastedParcel[] {
  return text.split(LINE_END).map((line, at) => {
    if (line.length > MAX_LINE_LENGTH)
      throw new DomainError(
        'invalid_value',
        `Line ${at + 1} is too long. Write one order and its tracking number in each line.`,
      );
    const parcel = trimSeparators(line);
    const end = parcel.search(SEPARATOR);
    return end < 0
      ? { order: parcel, tracking: '' }
      : { order: parcel.slice(0, end), tracking: trimSeparators(parcel.slice(end)) };
  });
}

function trimSeparators(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && SEPARATOR.test(text[from]!)) from++;
  while (to > from && SEPARATOR.test(text[to - 1]!)) to--;
  return text.slice(from, to);
}
