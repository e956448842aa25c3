// This file has no imports: commands need it before they load a framework.

const MAX_EDITS = 2;

/** The number of edits from the sent name to the known one. Undefined if the two are not similar. */
export function editsTo(known: string, sent: string): number | undefined {
  const [a, b] = [spellingOf(sent), spellingOf(known)];
  for (let edits = 0; edits <= MAX_EDITS && edits * 3 < known.length; edits++) {
    if (isWithinEdits(a, b, edits)) return edits;
  }
  return undefined;
}

/** The candidate with the fewest edits. A candidate without a number is not similar. */
export function nearestTo<One>(candidates: readonly One[], editsOf: (one: One) => number | undefined) {
  let nearest: { one: One; edits: number } | undefined;
  for (const one of candidates) {
    const edits = editsOf(one);
    if (edits !== undefined && edits < (nearest?.edits ?? Infinity)) nearest = { one, edits };
  }
  return nearest?.one;
}

export function spellingOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * True if at most this many edits turn one text into the other: a character inserted, removed or replaced. A
 * common beginning is skipped, so that different texts are found quickly.
 */
export function isWithinEdits(a: string, b: string, edits: number, fromA = 0, fromB = 0): boolean {
  let i = fromA;
  let j = fromB;
  while (i < a.length && j < b.length && a.charCodeAt(i) === b.charCodeAt(j)) {
    i++;
    j++;
  }
  const restOfA = a.length - i;
  const restOfB = b.length - j;
  if (Math.abs(restOfA - restOfB) > edits) return false;
  if (restOfA === 0 || restOfB === 0) return true;
  if (edits === 0) return false;
  return (
    isWithinEdits(a, b, edits - 1, i + 1, j + 1) ||
    isWithinEdits(a, b, edits - 1, i + 1, j) ||
    isWithinEdits(a, b, edits - 1, i, j + 1)
  );
}
