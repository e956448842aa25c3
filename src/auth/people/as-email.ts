/** How an address stands in the table, and is compared. */
export function asEmail(text: string): string {
  return text.trim().toLowerCase();
}
