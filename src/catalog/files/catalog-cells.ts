import type { StagedValue } from '../../imports/import-kind.js';
import { numericFromMinor, parseMoney } from '../../platform/money/money.js';
import { isWebAddress } from '../../platform/validation/texts.js';
import type { Variation } from '../../read-model/products/variations.js';
import { validateVariations } from '../rules/validate-variations.js';
import { formatVariations, parseVariations } from '../rules/variation-list.js';

/** Takes note of what is bad in a cell. Faults finish the sentence "the price …" or stand alone. */
type Note = (fault: string) => void;

/** What the cells of one column hold, and how a value gets from there into the table `products` and back. */
export interface CatalogCell<Value> {
  /** The type of the column in the database. */
  type: string;
  /** A bad cell, which may be very long, is noted and not kept. */
  read(text: string, note: Note): Value | null;
  /** As COPY takes it. */
  stage(value: Value): StagedValue;
  /** As it stands in the file, from what the database gives. */
  write(value: Value): string | boolean;
}

const AS_IT_IS = { stage: <Value>(value: Value) => value, write: <Value>(value: Value) => value };

export function textCell(
  faultOf: (text: string, maxLength: number) => string | undefined,
  maxLength: number,
): CatalogCell<string> {
  return {
    ...AS_IT_IS,
    type: 'text',
    read(text, note) {
      const fault = faultOf(text, maxLength);
      if (fault === undefined) return text;
      note(fault);
      return null;
    },
  };
}

/** As numeric text, which is how the database gives it too. */
export const AMOUNT_CELL: CatalogCell<string> = {
  ...AS_IT_IS,
  type: 'numeric(12,2)',
  read(text, note) {
    const parsed = parseMoney(text);
    if ('minor' in parsed) return numericFromMinor(parsed.minor);
    note(parsed.fault);
    return null;
  },
};

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

export const BOOLEAN_CELL: CatalogCell<boolean> = {
  ...AS_IT_IS,
  type: 'boolean',
  read(text, note) {
    const value = BOOLEANS.get(text.toLowerCase());
    if (value === undefined) note('must be true or false');
    return value ?? null;
  },
};

const MOST_ADDRESSES = 20;
const LONGEST_ADDRESS = 2_000;

export const ADDRESSES_CELL: CatalogCell<string[]> = {
  ...AS_IT_IS,
  type: 'text[]',
  read(text, note) {
    const addresses = text === '' ? [] : text.split(/\s+/);
    if (addresses.length > MOST_ADDRESSES) note(`must be at most ${MOST_ADDRESSES}`);
    const bad = addresses.find((each) => each.length > LONGEST_ADDRESS || !isWebAddress(each));
    if (bad === undefined) return addresses;
    const quoted = JSON.stringify(bad.slice(0, 80));
    note(`must be http or https addresses separated by spaces, which ${quoted} is not`);
    return null;
  },
  write: (addresses) => addresses.join(' '),
};

export const VARIATIONS_CELL: CatalogCell<Variation[]> = {
  type: 'jsonb',
  read(text, note) {
    const parsed = parseVariations(text);
    const faults = 'fault' in parsed ? [parsed.fault] : validateVariations(parsed);
    if (faults.length === 0 && !('fault' in parsed)) return parsed;
    note(faults.join(' '));
    return null;
  },
  stage: (variations) => JSON.stringify(variations),
  write: formatVariations,
};
