import { InvalidArgumentError } from 'commander';
import { parseEnd, parseInstant } from '../../platform/validation/instant.js';
import { lineFault } from '../../platform/validation/texts.js';

const LARGEST_CHANGE = 1_000_000_000;
const LARGEST_ID = 2_147_483_647;

/** What `<client>` may be, wherever a command takes one. */
export const CLIENT = 'the client: its number, name, domain or e-mail address';

/** Likewise `<person>`. */
export const PERSON = 'the person: number or e-mail address';

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

export function readQuantity(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= LARGEST_CHANGE ? Number(text) : undefined;
}

/** Who does it, as the timeline and the stock records will keep it. */
export function readActor(text: string): string {
  const fault = lineFault(text.trim(), 200);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return text.trim();
}

export function readCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 10_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 10000000.');
  return count;
}

/** Percent, with or without the sign. */
export function readPercentage(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?%?$/.test(text))
    throw new InvalidArgumentError('It must be a number of percent such as 50.');
  return Number.parseFloat(text);
}

/** Given several times, it is one list. */
export function readSkus(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((sku) => sku.trim())];
}

function refuseDate(): never {
  throw new InvalidArgumentError(
    'It must be an ISO date or time such as 2027-03-31 or 2027-03-31T18:00+05:30.',
  );
}
