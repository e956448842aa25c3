/** Those of the things, in their order, that can be had for so much in all; what is too dear is passed over. */
export function asFarAsItLasts<Thing>(
  things: readonly Thing[],
  costOf: (thing: Thing) => number,
  amount: number,
): Thing[] {
  let left = amount;
  return things.filter((thing) => {
    const cost = costOf(thing);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
