/** "1 order", "12,500 orders". */
export function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-IN')} ${count === 1 ? one : many}`;
}
