import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import { parseWholeNumber } from '../../../platform/validation/whole-numbers.js';
import type { OrderStatus } from './order-transitions.js';

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

/** The units that will never leave. Lines store only those that were cancelled before the whole order. */
export function cancelledUnits(
  { quantity, shipped, cancelled }: Pick<LineUnits, 'quantity' | 'shipped' | 'cancelled'>,
  status: OrderStatus,
): number {
  return status === 'cancelled' ? quantity - shipped : cancelled;
}

export type PricedLine = LineUnits & { unitPrice: Minor };

/** For each action, the units of a line that still allow it. */
const POSSIBLE_UNITS = {
  shipped: ({ quantity, shipped, cancelled }: LineUnits) => quantity - shipped - cancelled,
  cancelled: ({ quantity, shipped, cancelled }: LineUnits) => quantity - shipped - cancelled,
  refunded: ({ quantity, refunded }: LineUnits) => quantity - refunded,
  returned: ({ shipped, returned }: LineUnits) => shipped - returned,
};

export type UnitAction = keyof typeof POSSIBLE_UNITS;

/** All units that can be shipped, cancelled, refunded or returned. */
export function allUnits(lines: readonly LineUnits[], action: UnitAction): LineQuantity[] {
  return lines
    .map((line) => ({ line: line.line, quantity: POSSIBLE_UNITS[action](line) }))
    .filter(({ quantity }) => quantity > 0);
}

/** The sum of a count of a line over several parcels, refunds or returns. */
export const sumOfLine = <Count extends string>(
  of: readonly { lines: readonly (Record<Count, number> & { line: number })[] }[],
  line: number,
  count: Count,
): number =>
  of
    .flatMap(({ lines }) => lines)
    .reduce((sum, entry) => (entry.line === line ? sum + entry[count] : sum), 0);

/** Refuses repeated lines, lines that the order does not have, and more units than there are. */
export function checkUnits(
  lines: readonly LineUnits[],
  requested: readonly LineQuantity[],
  action: UnitAction,
): void {
  refuseRepeatedLines(requested);
  for (const { line: number, quantity } of requested) {
    const line = lines.find((one) => one.line === number);
    if (!line)
      throw new DomainError(
        'invalid_value',
        `The order has no line ${number}. Its last line is ${lines.length}.`,
        { facts: { line: number } },
      );
    const possible = POSSIBLE_UNITS[action](line);
    if (quantity > possible)
      throw new DomainError(
        'conflict',
        `${formatPossibleUnits(possible)} of line ${number} can be ${action}: ` +
          `${formatUnitCounts(line, action)}.`,
      );
  }
}

/** Refuses to write off more units of a line than are cancelled. */
export function checkWrittenOff(
  cancelled: readonly LineQuantity[],
  writtenOff: readonly LineQuantity[],
): void {
  refuseRepeatedLines(writtenOff);
  for (const { line, quantity } of writtenOff) {
    const possible = unitsOf(cancelled, line);
    if (quantity > possible)
      throw new DomainError(
        'conflict',
        `${formatPossibleUnits(possible)} of line ${line} can be written off: only cancelled units can.`,
      );
  }
}

/** Each row is checked alone, so two rows of one line could take more units than there are. */
function refuseRepeatedLines(requested: readonly LineQuantity[]): void {
  const lines = requested.map(({ line }) => line);
  const twice = lines.find((line, index) => lines.indexOf(line) !== index);
  if (twice !== undefined)
    throw new DomainError('invalid_value', `Line ${twice} is named twice.`, { facts: { line: twice } });
}

function formatPossibleUnits(possible: number): string {
  if (possible === 0) return 'No unit';
  return `Only ${possible} ${possible === 1 ? 'unit' : 'units'}`;
}

function formatUnitCounts({ quantity, ...units }: LineUnits, action: UnitAction): string {
  const counts = (['shipped', 'cancelled', 'returned', 'refunded'] as const)
    // Only units that have left can come back.
    .filter((what) => units[what] > 0 || (what === 'shipped' && action === 'returned'))
    .map((what) => `${units[what]} ${what}`);
  return [`${quantity} ordered`, ...counts].join(', ');
}

/** Whether units remain to be shipped after these have left or were cancelled. */
export function hasUnitsLeft(lines: readonly LineUnits[], taken: readonly LineQuantity[]): boolean {
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
  maxAmount: Minor,
): { amount: Minor; items: RefundedLine[] } {
  let left = maxAmount;
  const items = units.map(({ line: number, quantity }) => {
    const line = lines.find((one) => one.line === number)!;
    const refunded = Math.min(quantity, POSSIBLE_UNITS.refunded(line));
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
  requested: readonly LineQuantity[],
  {
    lines: arrived = requested,
    restock,
  }: { lines?: readonly LineQuantity[]; restock: readonly LineQuantity[] },
): ReceivedLine[] {
  if (arrived.length === 0)
    throw new DomainError('invalid_value', 'Name the units that came. If none came, refuse the return.');
  refuseRepeatedLines(arrived);
  refuseRepeatedLines(restock);
  for (const { line, quantity } of [...arrived, ...restock]) {
    const expected = unitsOf(requested, line);
    if (expected === 0) throw new DomainError('invalid_value', `The return has no line ${line}.`);
    if (quantity > expected)
      throw new DomainError(
        'conflict',
        `${formatPossibleUnits(expected)} of line ${line} can come back with this return.`,
      );
  }
  for (const { line, quantity } of restock)
    if (quantity > unitsOf(arrived, line))
      throw new DomainError(
        'conflict',
        `${formatPossibleUnits(unitsOf(arrived, line))} of line ${line} arrived, so ${quantity} cannot be ` +
          'restocked.',
      );
  return requested.map(({ line }) => ({
    line,
    received: unitsOf(arrived, line),
    restocked: unitsOf(restock, line),
  }));
}

function unitsOf(lines: readonly LineQuantity[], number: number): number {
  return lines.find(({ line }) => line === number)?.quantity ?? 0;
}

/** A number of units of one line, as people type it. Undefined for another text. */
export function parseUnits(text: string): number | undefined {
  return parseWholeNumber(text, 0, 999_999);
}

/**
 * Reads `1=2`, two units of line 1. Each text names one or more lines, with spaces, commas or semicolons. The
 * lines are sorted, so that equal lists have equal keys.
 */
export function parseLineQuantities(texts: readonly string[]): LineQuantity[] {
  const read = texts.flatMap((text) => (text.match(/[^\s,;]+/g) ?? ['']).map(parseLineQuantity));
  refuseRepeatedLines(read);
  return read.toSorted((a, b) => a.line - b.line);
}

function parseLineQuantity(part: string): LineQuantity {
  const [line = 0, quantity = 0, ...more] = part.split('=').map((number) => parseUnits(number) ?? 0);
  if (line > 0 && quantity > 0 && more.length === 0) return { line, quantity };
  throw new DomainError(
    'invalid_value',
    `"${part.slice(0, 40)}" is not a quantity of a line. Write 1=2 for 2 units of line 1.`,
  );
}

/** Formats units as `parseLineQuantities` reads them. */
export function formatLineQuantities(lines: readonly LineQuantity[]): string {
  return lines.map(({ line, quantity }) => `${line}=${quantity}`).join(' ');
}
