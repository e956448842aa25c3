const left = new Set<() => Promise<void>>();

/**
 * The work is done once: when it is called for, or else with the end of the suite. What a failed test leaves open would keep Jest from
 * ending, or bring other suites down.
 */
export function inTheEnd(work: () => unknown): () => Promise<void> {
  let done: Promise<void> | undefined;
  const doOnce = () => (done ??= run());
  const run = async () => {
    left.delete(doOnce);
    await work();
  };
  left.add(doOnce);
  return doOnce;
}

/** The end of a suite. What fails keeps nothing else from being done. */
export async function endEverything(): Promise<void> {
  const faults: unknown[] = [];
  for (const work of [...left].toReversed()) await work().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
