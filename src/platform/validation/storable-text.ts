/** PostgreSQL stores neither NUL nor a lone surrogate: the one is refused, the other would silently become another character. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Counted as PostgreSQL does, and people: a character outside the basic plane is one. It never has more than JavaScript says, so most need no counting. */
export function isWithin(most: number, text: string): boolean {
  return text.length <= most || lengthOf(text) <= most;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
