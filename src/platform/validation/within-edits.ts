/**
 * Says whether one text becomes the other by at most so many edits: a character inserted, removed or replaced. What both have
 * in common at the beginning is passed over, so that texts which differ early are told apart at once.
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
