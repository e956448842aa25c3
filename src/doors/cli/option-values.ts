import { InvalidArgumentError } from 'commander';
import { parseEnd, parseInstant } from '../../platform/validation/instant.js';

const LARGEST_CHANGE = 1_000_000_000;
const LARGEST_ID = 2_147_483_647;

/** Readers of what is typed. What they refuse is wrong usage. */
export function readId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > LARGEST_ID) throw new InvalidArgumentError('It must be a number such as 7.');
  return id;
}

export function readStart(text: string): Date {
  return parseInstant(text) ?? refuseDate();
}

/** A bare date includes that day. */
export function readEnd(text: string): Date {
  return parseEnd(text) ?? refuseDate();
}

export function readChange(text: string): number | undefined {
  const change = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : 0;
  return change === 0 || Math.abs(change) > LARGEST_CHANGE ? undefined : change;
}

export function readCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 10_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 10000000.');
  return count;
}

function refuseDate(): never {
  throw new InvalidArgumentError(
    'It must be an ISO date or time such as 2027-03-31 or 2027-03-31T18:00+05:30.',
  );
}
