import { DryRunQuery } from '../../../platform/http/admin-route.js';
import { parsePercent, readTypedPrice } from '../../../platform/money/money.js';
import {
  OptionalEnd,
  OptionalPairs,
  ReadText,
  OptionalStart,
  readEnd,
  readStart,
} from '../../../platform/validation/typed-fields.decorator.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import type { TimeZone } from '../../../platform/time/time.js';
import type { ImportOptions } from '../import-kind.js';
import { MAX_CHANGE } from '../import-tables.js';
import { parseConstant, parseMapping } from '../named-values.js';

/** The options of each file. Kinds of files add theirs. */
export class ImportQuery extends DryRunQuery {
  @OptionalBooleanParameter({
    description:
      'Writes nothing if one row is refused, and answers 422 `import_refused`. With `dry_run` it stays 200.',
    example: true,
  })
  all_or_nothing?: boolean;

  @OptionalBooleanParameter({
    description:
      'Adds `failed_file` to a report: the refused rows as CSV with reasons, to correct and send again.',
    example: true,
  })
  failed_file?: boolean;

  @OptionalPairs({
    read: parseMapping,
    mustBe: '"AWB=tracking_number"',
    description: 'Reads a heading of the file as this column. Repeat it for more headings.',
    example: ['AWB=tracking_number'],
  })
  map?: Record<string, string>;

  @OptionalPairs({
    read: parseConstant,
    mustBe: '"courier=BlueDart"',
    description: 'A column that the file lacks, and its value in all rows. Repeat it for more columns.',
    example: ['courier=BlueDart'],
  })
  set?: Record<string, string>;
}

export const Force = (what: string) =>
  OptionalBooleanParameter({ description: `Accepts ${what}.`, example: true });

/** For files whose export has the column `was`. */
export const Overwrite = () =>
  OptionalBooleanParameter({
    description: 'Writes rows even if the stored values changed since the export.',
    example: true,
  });

export const MaxChange = () =>
  ReadText({
    read: (text) => {
      const percent = parsePercent(text);
      return 'fault' in percent ? undefined : percent.hundredths / 100;
    },
    mustBe: 'a percentage such as 50 or 12.5',
    description: `Refuses prices that change by more percent, up or down; ${MAX_CHANGE} by default.`,
    type: Number,
    example: 30,
  });

export const PriceStart = (what: string) => OptionalStart(`When ${what} begin; now by default.`);

export const PriceEnd = () => OptionalEnd('When the earlier values return.');

/** Numeric text, or undefined for another text. */
export function parseCharge(text: string): string | undefined {
  try {
    return readTypedPrice(text, () => new RangeError('no amount'));
  } catch {
    return undefined;
  }
}

const OPTIONS: Readonly<Record<string, keyof ImportOptions>> = {
  dry_run: 'dryRun',
  all_or_nothing: 'allOrNothing',
  failed_file: 'keepRows',
  map: 'renamed',
  set: 'constants',
  update_only: 'updateOnly',
  accept_new: 'acceptNew',
  max_change: 'maxChange',
  new_delivery_charge: 'newDeliveryCharge',
  old_slips: 'oldSlips',
  counted_at: 'countedAt',
};

/** The parameters by the names of the importer. */
export const toImportOptions = (query: object, zone: TimeZone): Omit<ImportOptions, 'actor'> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      OPTIONS[name] ?? name,
      TIMES[name]?.(value as string, zone) ?? (value as unknown),
    ]),
  );

const TIMES: Readonly<Record<string, typeof readStart>> = {
  from: readStart,
  to: readEnd,
  counted_at: readStart,
};
