import * as fc from 'fast-check';
import { type Changeable, ChangeList } from './change-list.js';

class Item implements Changeable<Item> {
  newer: Item | undefined;
  older: Item | undefined;

  constructor(
    readonly name: string,
    public latestVersion: number,
  ) {}
}

function names(list: ChangeList<Item>, changeVersion: number): string[] {
  return [...list.since(changeVersion)].map(({ name }) => name);
}

describe('ChangeList', () => {
  it('returns the changes since a stamp, inclusive, latest first', () => {
    const list = new ChangeList<Item>();
    list.reorder([new Item('a', 10), new Item('b', 30), new Item('c', 20)]);
    expect(names(list, 20)).toEqual(['b', 'c']);
    expect(names(list, 31)).toEqual([]);
  });

  it('inserts a late commit with an older stamp at its place', () => {
    const list = new ChangeList<Item>();
    list.reorder([new Item('a', 10), new Item('b', 30)]);
    list.reorder([new Item('late', 20)]);
    expect(names(list, 15)).toEqual(['b', 'late']);
  });

  it('moves an item that changed again', () => {
    const list = new ChangeList<Item>();
    const item = new Item('a', 10);
    list.reorder([item, new Item('b', 30)]);
    item.latestVersion = 40;
    list.reorder([item]);
    expect(names(list, 0)).toEqual(['a', 'b']);
  });

  it('forgets a removed item, also when it is removed twice', () => {
    const list = new ChangeList<Item>();
    const item = new Item('a', 10);
    list.reorder([item, new Item('b', 5)]);
    list.remove(item);
    list.remove(item);
    expect(names(list, 0)).toEqual(['b']);
  });

  it('stays sorted for any sequence of changes', () => {
    const step = fc.record({ item: fc.nat(15), stamp: fc.nat(50), removes: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 30 }),
        fc.nat(50),
        (batches, since) => {
          const list = new ChangeList<Item>();
          const items = Array.from({ length: 16 }, (_, index) => new Item(String(index), 0));
          const expected = new Map<Item, number>();
          for (const batch of batches) {
            const placed = new Set<Item>();
            for (const { item: index, stamp: changeVersion, removes } of batch) {
              const item = items[index]!;
              placed.delete(item);
              list.remove(item);
              expected.delete(item);
              if (removes) continue;
              item.latestVersion = changeVersion;
              placed.add(item);
              expected.set(item, changeVersion);
            }
            list.reorder(placed);
          }
          const found = [...list.since(since)];
          const order = found.map(({ latestVersion }) => latestVersion);
          expect(order).toEqual(order.toSorted((a, b) => b - a));
          const wanted = [...expected]
            .filter(([, changeVersion]) => changeVersion >= since)
            .map(([item]) => item);
          expect(new Set(found)).toEqual(new Set(wanted));
          expect(found).toHaveLength(wanted.length);
        },
      ),
    );
  });
});
