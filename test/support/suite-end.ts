const pending = new Set<() => Promise<void>>();

/**
 * Runs the work once: when the returned function is called, or else at the end of the suite. Open resources
 * of a failed test would keep Jest from ending, or break other suites.
 */
export function atSuiteEnd(work: () => unknown): () => Promise<void> {
  let done: Promise<void> | undefined;
  const doOnce = () => (done ??= run());
  const run = async () => {
    pending.delete(doOnce);
    await work();
  };
  pending.add(doOnce);
  return doOnce;
}

/** Runs all remaining work at the end of a suite, even if one part fails. */
export async function endEverything(): Promise<void> {
  const faults: unknown[] = [];
  for (const work of [...pending].toReversed()) await work().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
