/** How long all such work together may hold up the event loop in one turn; its last piece may take it a little further. */
const TURN_MS = 5;

interface Work {
  /** Does one piece, and says whether it was the last. */
  step(): boolean;
}

const waiting: Work[] = [];

/**
 * Does work that would take long in one go piece by piece: up to a `yield`, then on. All who have such work take turns, and between
 * the turns everybody else is served, so that it is they who take longer and not their neighbours.
 */
export function inPieces<Result>(work: Generator<void, Result>): Promise<Result> {
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
    if (waiting.length === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  const endsAt = performance.now() + TURN_MS;
  while (waiting.length > 0 && performance.now() < endsAt) {
    const work = waiting[0]!;
    const isDone = work.step();
    waiting.shift();
    if (!isDone) waiting.push(work);
  }
  if (waiting.length > 0) setImmediate(takeTurn);
}
