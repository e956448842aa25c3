/**
 * The time for which sliced work may block the event loop in one turn. The last step may exceed it a little.
 */
const SLICE_MS = 5;

interface SlicedWork {
  /** Runs one step; true if it was the last. */
  step(): boolean;
}

const waiting: SlicedWork[] = [];

/**
 * Runs long work in steps, up to each `yield`. All such work takes turns, and other requests are served
 * in between, so long work does not delay short work.
 */
export function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const step = () => {
      try {
        const { done, value } = work.next();
        if (done) resolve(value);
        return done === true;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    };
    waiting.push({ step });
    if (waiting.length === 1) setImmediate(runSlice);
  });
}

/** Runs all steps in this turn. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function runSlice(): void {
  const endsAt = performance.now() + SLICE_MS;
  while (waiting.length > 0 && performance.now() < endsAt) {
    const work = waiting[0]!;
    const isDone = work.step();
    waiting.shift();
    if (!isDone) waiting.push(work);
  }
  if (waiting.length > 0) setImmediate(runSlice);
}
