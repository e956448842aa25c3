import os from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { parseEnd, parseTime, type TimeZone } from '../platform/time/time.js';
import { parseWholeNumber } from '../platform/validation/whole-numbers.js';

const MAX_COUNT = 10_000_000;

export function jsonOption(): Option {
  return new Option('--json', 'answer with one JSON value, for scripts');
}

/** The name of the person, which records store. */
export function byOption(): Option {
  return new Option('--by <name>', 'who does it').default(operatorName());
}

/** The name of the user who runs the command. */
export function operatorName(): string {
  try {
    return `operator:${os.userInfo().username}`;
  } catch {
    // A container may run under a user id that has no name.
    return `operator:${process.getuid?.() ?? 'unknown'}`;
  }
}

export function readCount(text: string): number {
  const count = parseWholeNumber(text, 1, MAX_COUNT);
  if (count === undefined)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_COUNT}.`);
  return count;
}

/** The zone of a typed date comes from the settings, which are read later. */
export type TypedTime = (zone: TimeZone) => Date;

const timeReader =
  (parse: typeof parseTime) =>
  (text: string): TypedTime => {
    if (parse(text, 'UTC') === null)
      throw new InvalidArgumentError(
        'It must be a date or time such as 31/03/2027, 2027-03-31 or 2027-03-31T18:00+05:30.',
      );
    return (zone) => parse(text, zone)!;
  };

export const readStart = timeReader(parseTime);
/** A bare date includes that day. */
export const readEnd = timeReader(parseEnd);
