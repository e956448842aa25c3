import type { ProductChunk } from '../products/product-chunk.js';

/** So few chunks are looked at in one go. */
const FEW = 4;

/** How often what changed in the meantime is looked at once more, in pieces; after that in one go. */
const ROUNDS = 10;

/**
 * Looks at all chunks, in pieces, and gives what was found as it is at the end: chunks that change in between are looked at
 * again, the last few of them without a pause.
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
