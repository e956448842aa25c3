export interface FileRecord {
  /** The number of the row as a spreadsheet shows it, the heading being 1. */
  line: number;
  cells: string[];
  /** Why the row could not be taken apart. */
  fault?: string;
}

/** Spreadsheets leave rows of nothing but separators behind. */
export function isEmptyRecord({ cells }: FileRecord): boolean {
  return cells.every((cell) => cell.trim() === '');
}
