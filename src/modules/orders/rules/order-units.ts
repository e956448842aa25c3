import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';

/** Units of a line, such as 2 of line 1. */
export interface LineQuantity {
  line: number;
  quantity: number;
}

/** The units of a line, by what happened to them. */
export interface LineUnits extends LineQuantity {
  shipped: number;
  cancelled: number;
  refunded: number;
  /** Came back, or are expected back. */
  returned: number;
}

export type PricedLine = LineUnits & { unitPrice: Minor };

/** For each action, the units of a line that still allow it. */
const POSSIBLE = {
  shipped: ({ quantity, shipped, cancelled }: LineUnits) => quantity - shipped - cancelled,
  cancelled: ({ quantity, shipped, cancelled }: LineUnits) => quantity - shipped - cancelled,
  refunded: ({ quantity, refunded }: LineUnits) => quantity - refunded,
  returned: ({ shipped, returned }: LineUnits) => shipped - returned,
};

export type UnitAction = keyof typeof POSSIBLE;

/** All units that can be shipped, cancelled, refunded or returned. */
export function allUnits(lines: readonly LineUnits[], action: UnitAction): LineQuantity[] {
  return lines
    .map((line) => ({ line: line.line, quantity: POSSIBLE[action](line) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Refuses repeated lines, lines that the order does not have, and more units than there are. */
export function checkUnits(
  lines: readonly LineUnits[],
  asked: readonly LineQuantity[],
  action: UnitAction,
): void {
  refuseRepeated(asked);
  for (const { line: number, quantity } of asked) {
    const line = lines.find((one) => one.line === number);
    if (!line)
      throw new DomainError(
        'invalid_value',
        `The order has no line ${number}. Its last line is ${lines.length}.`,
      );
    const possible = POSSIBLE[action](line);
    if (quantity > possible)
      throw new DomainError(
        'conflict',
        `${possibleUnits(possible)} of line ${number} can be ${action}: ${told(line, action)}.`,
      );
  }
}

/** Each row is checked alone, so two rows of one line could take more units than there are. */
function refuseRepeated(asked: readonly LineQuantity[]): void {
  const lines = asked.map(({ line }) => line);
  const twice = lines.find((line, index) => lines.indexOf(line) !== index);
  if (twice !== undefined) throw new DomainError('invalid_value', `Line ${twice} is named twice.`);
}

function possibleUnits(possible: number): string {
  if (possible === 0) return 'No unit';
  return `Only ${possible} ${possible === 1 ? 'unit' : 'units'}`;
}

function told({ quantity, ...units }: LineUnits, action: UnitAction): string {
  const counts = (['shipped', 'cancelled', 'returned', 'refunded'] as const)
    // Only units that have left can come back.
    .filter((what) => units[what] > 0 || (what === 'shipped' && action === 'returned'))
    .map((what) => `${units[what]} ${what}`);
  return [`${quantity} ordered`, ...counts].join(', ');
}

/** Whether units remain to be shipped after these have left or were cancelled. */
export function leavesUnits(lines: readonly LineUnits[], taken: readonly LineQuantity[]): boolean {
  const sum = (some: readonly LineQuantity[]) => some.reduce((total, { quantity }) => total + quantity, 0);
  return sum(allUnits(lines, 'shipped')) > sum(taken);
}

export interface RefundedLine {
  line: number;
  refunded: number;
  amount: Minor;
}

/**
 * The price of units that were not refunded yet, but at most this amount. An earlier refund of an amount may
 * have paid for them.
 */
export function refundOfUnits(
  lines: readonly PricedLine[],
  units: readonly LineQuantity[],
  most: Minor,
): { amount: Minor; items: RefundedLine[] } {
  let left = most;
  const items = units.map(({ line: number, quantity }) => {
    const line = lines.find((one) => one.line === number)!;
    const refunded = Math.min(quantity, POSSIBLE.refunded(line));
    const amount = Math.min(refunded * line.unitPrice, left);
    left -= amount;
    return { line: number, refunded, amount };
  });
  return { amount: items.reduce((sum, { amount }) => sum + amount, 0), items };
}

export interface ReceivedLine {
  line: number;
  /** Units that arrived. */
  received: number;
  /** Received units that are for sale again. */
  restocked: number;
}

/** The received units of a return: the given ones, or all. Refuses to restock more than arrived. */
export function receivedUnits(
  asked: readonly LineQuantity[],
  { lines: came = asked, restock }: { lines?: readonly LineQuantity[]; restock: readonly LineQuantity[] },
): ReceivedLine[] {
  if (came.length === 0)
    throw new DomainError('invalid_value', 'Name the units that came. If none came, refuse the return.');
  refuseRepeated(came);
  refuseRepeated(restock);
  for (const { line, quantity } of [...came, ...restock]) {
    const most = unitsOf(asked, line);
    if (most === 0) throw new DomainError('invalid_value', `The return has no line ${line}.`);
    if (quantity > most)
      throw new DomainError(
        'conflict',
        `${possibleUnits(most)} of line ${line} can come back with this return.`,
      );
  }
  for (const { line, quantity } of restock)
    if (quantity > unitsOf(came, line))
      throw new DomainError(
        'conflict',
        `${possibleUnits(unitsOf(came, line))} of line ${line} came, so ${quantity} cannot be restocked.`,
      );
  return asked.map(({ line }) => ({
    line,
    received: unitsOf(came, line),
    restocked: unitsOf(restock, line),
  }));
}

function unitsOf(lines: readonly LineQuantity[], number: number): number {
  return lines.find(({ line }) => line === number)?.quantity ?? 0;
}

const ONE = /^(\d{1,3})=(\d{1,6})$/;

/** Reads `1=2`, two units of line 1. A text may name several lines, with spaces, commas or semicolons. */
export function readLineQuantities(texts: readonly string[]): LineQuantity[] {
  const parts = texts.flatMap((text) => text.split(/[\s,;]/)).filter((part) => part !== '');
  const read = parts.map((part) => {
    const found = ONE.exec(part)?.slice(1).map(Number);
    if (found?.every((number) => number > 0)) return { line: found[0]!, quantity: found[1]! };
    throw new DomainError(
      'invalid_value',
      `"${part.slice(0, 40)}" is not a quantity of a line. Write 1=2 for 2 units of line 1.`,
    );
  });
  refuseRepeated(read);
  return read;
}

/** Formats units as `parseLineQuantities` reads them. */
export function lineQuantitiesText(lines: readonly LineQuantity[]): string {
  return lines.map(({ line, quantity }) => `${line}=${quantity}`).join(' ');
}
