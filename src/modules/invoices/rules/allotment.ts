import { groupBy, sum } from '../../../platform/lists/group-by.js';
import type { Minor } from '../../../platform/money/money.js';

/** The smallest share of a spread amount: a rupee. */
const MIN_SHARE: Minor = 1_00;

interface Part<Item> {
  item: Item;
  capacity: Minor;
  named: Minor;
  shared: Minor;
}

/** Divides an amount among items, never beyond the capacity of each. */
export class Allotment<Item extends { line: number }> {
  private readonly parts: Part<Item>[];
  private readonly byLine: ReadonlyMap<number | null, Part<Item>[]>;

  constructor(
    items: readonly Item[],
    private left: Minor,
  ) {
    this.parts = items.map((item) => ({ item, capacity: 0, named: 0, shared: 0 }));
    this.byLine = groupBy(this.parts, ({ item }) => item.line);
  }

  /** Sets the capacity of each item, less the amount that it already has. */
  setCapacities(capacityOf: (item: Item) => Minor): void {
    for (const part of this.parts)
      part.capacity = Math.max(0, capacityOf(part.item) - part.named - part.shared);
  }

  /** Returns the amount that found no capacity. */
  allot(line: number | null, amount: Minor): Minor {
    for (const part of this.byLine.get(line) ?? []) {
      const allotted = Math.max(0, Math.min(amount, this.left, part.capacity));
      part.named += allotted;
      part.capacity -= allotted;
      amount -= allotted;
      this.left -= allotted;
    }
    return amount;
  }

  allottedTo(line: number): Minor {
    return sum(this.byLine.get(line) ?? [], ({ named }) => named);
  }

  /**
   * Spreads the rest over the items in proportion to their capacity. Items whose share would be below a rupee
   * get none, the smallest first, as long as the others have room: such rows of a note have no tax.
   */
  spread(): void {
    let room = sum(this.parts, ({ capacity }) => capacity);
    const amount = Math.min(this.left, room);
    const small = new Set<Part<Item>>();
    for (const part of this.parts.toReversed().toSorted((a, b) => a.capacity - b.capacity)) {
      if (part.capacity * amount >= MIN_SHARE * room || room - part.capacity < amount) break;
      room -= part.capacity;
      small.add(part);
    }
    const shares = spread(
      amount,
      this.parts.map((part) => (small.has(part) ? 0 : part.capacity)),
    );
    this.parts.forEach((part, at) => (part.shared += shares[at]!));
    this.left -= amount;
  }

  amounts(): { item: Item; amount: Minor }[] {
    return this.parts
      .map(({ item, named, shared }) => ({ item, amount: named + shared }))
      .filter(({ amount }) => amount > 0);
  }
}

/** Shares in proportion to the capacities, by the method of the largest remainder. */
export function spread(amount: Minor, capacities: readonly Minor[]): Minor[] {
  const whole = BigInt(sum(capacities, (capacity) => capacity));
  if (amount === 0) return capacities.map(() => 0);
  const exact = capacities.map((capacity) => BigInt(amount) * BigInt(capacity));
  const shares = exact.map((share) => Number(share / whole));
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share % whole }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  const rest = amount - sum(shares, (share) => share);
  for (const { at } of byRemainder.slice(0, rest)) shares[at]! += 1;
  return shares;
}
