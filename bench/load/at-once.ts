/** Several workers process all items, each taking the next one. Returns the items per second. */
export async function atOnce<Item>(
  workers: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const waiting = items.values();
  const beganAt = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
  return (items.length * 1_000) / (performance.now() - beganAt);
}
