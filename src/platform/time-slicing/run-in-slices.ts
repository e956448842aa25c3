import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentPayer, type Payer, resumeWork } from '../limits/work-meter.js';

/**
 * The time for which sliced work may block the event loop in one turn. The last step may exceed it a little.
 */
const SLICE_MS = 5;

interface SlicedWork {
  payer: Payer | undefined;
  /** Runs one step; true if it was the last. */
  step(): boolean;
}

const waiting: SlicedWork[] = [];

/**
 * Runs long work in steps, up to each `yield`. All such work takes turns, and other requests are served
 * in between, so long work does not delay short work.
 */
export function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  const payer = currentPayer();
  const result = new Promise<Result>((resolve, reject) => {
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
    waiting.push({ payer, step });
    if (waiting.length === 1) setImmediate(runSlice);
  });
  return result.finally(() => resumeWork(payer));
}

/** For work that also awaits: call the result often. It has a pause if a slice is over. */
export function countSlices(): () => Promise<void> | undefined {
  let endsAt = 0;
  return () => {
    if (performance.now() < endsAt) return undefined;
    return nextTurn().then(() => void (endsAt = performance.now() + SLICE_MS));
  };
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
    resumeWork(work.payer);
    const isDone = work.step();
    waiting.shift();
    if (!isDone) waiting.push(work);
  }
  if (waiting.length > 0) setImmediate(runSlice);
}
