/** The things with each key, in the order of the first of them. Node 20 has no Map.groupBy. */
export function groupBy<Thing, Key>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => Key,
): Map<Key, Thing[]> {
  const groups = new Map<Key, Thing[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

/** The sum of amounts or counts for each key. A key without things has 0. */
export function sumBy<Thing, Key>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => Key,
  amountOf: (thing: Thing) => number,
): (key: Key) => number {
  const sums = new Map<Key, number>();
  for (const thing of things) {
    const key = keyOf(thing);
    sums.set(key, (sums.get(key) ?? 0) + amountOf(thing));
  }
  return (key) => sums.get(key) ?? 0;
}

export function sum<Thing>(things: readonly Thing[], amountOf: (thing: Thing) => number): number {
  return things.reduce((total, thing) => total + amountOf(thing), 0);
}
