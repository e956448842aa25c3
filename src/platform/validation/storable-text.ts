/** PostgreSQL stores neither NUL nor a lone surrogate: the one is refused, the other would silently become another character. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Length as PostgreSQL counts it, and as people do: a character outside the basic plane is one. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
