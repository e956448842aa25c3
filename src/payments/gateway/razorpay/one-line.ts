const MOST = 300;

/** A text of somebody else's, fit for a message, a log and the database. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MOST)
    .toWellFormed();
}
