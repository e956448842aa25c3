/** The number in a part of an address. What is no number of ours names nothing. */
export function idIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
