import { Param, type PipeTransform } from '@nestjs/common';
import { DomainError, validationFailed } from '../errors/domain-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { isUuid } from '../validation/texts.js';

/** The position after which a page begins; undefined for the first page. Other texts are refused. */
export function readPagePosition<Position>(
  after: string | undefined,
  read: (text: string) => Position | undefined,
): Position | undefined {
  if (after === undefined) return undefined;
  const position = read(after);
  if (position !== undefined) return position;
  const message = 'is not a cursor of this list; send the `next` of the page before';
  throw validationFailed([{ field: 'after', code: 'malformed', message }]);
}

/** The digits of a cursor of a log, which may have more rows than an integer can number. */
export const LOG_DIGITS = 15;

/** The cursor of a list that is in the order of integers or, with more digits, of longer numbers. */
export const readNumberCursor = (after: string | undefined, digits = 9) =>
  readPagePosition(after, (text) => (/^\d+$/.test(text) && text.length <= digits ? Number(text) : undefined));

/** The cursor of a list whose rows have UUIDs. */
export const readUuidCursor = (after: string | undefined) =>
  readPagePosition(after, (text) => (isUuid(text) ? text : undefined));

/** The keys of the database are integers. */
const MAX_KEY = 2_147_483_647;

type KeyType = 'number' | 'text' | 'time';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;

const CHECKS: Readonly<Record<KeyType, (value: unknown) => boolean>> = {
  number: (value) => Number.isInteger(value) && Math.abs(value as number) <= MAX_KEY,
  text: (value) => typeof value === 'string' && !value.includes('\0') && value.isWellFormed(),
  time: (value) => typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)),
};

/** The cursor of a list that is sorted by several values: those of the last row of the page. */
export const writeKeysetCursor = (...values: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

export const readKeysetCursor = <Values extends readonly (string | number)[]>(
  after: string | undefined,
  ...types: { [Index in keyof Values]: KeyType }
): Values | undefined =>
  readPagePosition(after, (text) => {
    const values = parseArray(text);
    const fits = values?.length === types.length && types.every((type, index) => CHECKS[type](values[index]));
    return fits ? (values as unknown as Values) : undefined;
  });

function parseArray(text: string): unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The number of a row in the path. */
export const NumberParam = (name: string, code: ErrorCode, what: string) =>
  Param(name, {
    transform: (text) => {
      if (/^\d{1,9}$/.test(text)) return Number(text);
      throw new DomainError(code, `There is no ${what} "${text}".`);
    },
  } satisfies PipeTransform<string, number>);
