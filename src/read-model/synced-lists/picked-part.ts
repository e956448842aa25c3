import type { ProductChunk } from '../products/product-chunk.js';

export interface PickedPart {
  json: Buffer[];
}

/** A part with the fingerprint of the list at its moment. */
export interface DatedPart extends PickedPart {
  fingerprint: string;
}

/** Chunks searched in one step. */
const FEW = 4;

/** Rounds in steps for chunks that changed meanwhile; the last round runs without a pause. */
const ROUNDS = 10;

/**
 * Searches all chunks in steps. Chunks whose state is another object afterwards are searched again, so the
 * result is of one moment.
 */
export function* searchChunks<Result>(
  chunks: () => readonly ProductChunk[],
  stateOf: (chunk: ProductChunk) => object,
  search: (chunk: ProductChunk) => Result,
): Generator<void, Result[]> {
  const results = new Map<number, { state: object; result: Result }>();
  for (let round = 1; ; round++) {
    const all = chunks();
    const outdated = all.filter((chunk) => results.get(chunk.number)?.state !== stateOf(chunk));
    const isLast = outdated.length <= FEW || round > ROUNDS;
    for (const chunk of outdated) {
      results.set(chunk.number, { state: stateOf(chunk), result: search(chunk) });
      if (!isLast) yield;
    }
    if (isLast) return all.map(({ number }) => results.get(number)!.result);
  }
}
