import type { ProductChunk } from '../products/product-chunk.js';

export interface PickedPart {
  /** JSON pieces in order. */
  json: Buffer[];
  /** The number of products searched. */
  looked: number;
}

/** A part with the fingerprint of the list at its moment. */
export interface DatedPart extends PickedPart {
  fingerprint: string;
}

export interface PartQuery {
  /** The request's object, which never changes. */
  asked: object;
  /** The values of the request that select the products. */
  chosenBy: readonly unknown[];
}

/** Chunks searched in one step. */
const FEW = 4;

/** Rounds in steps for chunks that changed meanwhile; the last round runs without a pause. */
const ROUNDS = 10;

/**
 * Searches all chunks in steps. Chunks that change meanwhile are searched again, so the result is of one
 * moment.
 */
export function* lookThrough<Look>(
  chunks: () => readonly ProductChunk[],
  versionOf: (chunk: ProductChunk) => number,
  look: (chunk: ProductChunk) => Look,
): Generator<void, Look[]> {
  const looks = new Map<number, { version: number; look: Look }>();
  for (let round = 1; ; round++) {
    const all = chunks();
    const outdated = all.filter((chunk) => looks.get(chunk.number)?.version !== versionOf(chunk));
    const isLast = outdated.length <= FEW || round > ROUNDS;
    for (const chunk of outdated) {
      looks.set(chunk.number, { version: versionOf(chunk), look: look(chunk) });
      if (!isLast) yield;
    }
    if (isLast) return all.map(({ number }) => looks.get(number)!.look);
  }
}
