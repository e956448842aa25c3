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

afterAll(async () => {
  for (const work of [...left].toReversed()) await work();
});
