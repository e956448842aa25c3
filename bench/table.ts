import type { Finding } from './finding.js';

const HEADINGS = ['work', 'measured', 'against', 'busy %', 'ratio', 'aim', 'reached'];

/** Returns the findings as a Markdown table with aligned columns, readable as plain text too. */
export function table(findings: Finding[]): string {
  const rows = [HEADINGS, ...findings.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column]!))));
  lines.splice(1, 0, line(widths.map((width) => '-'.repeat(width))));
  return lines.join('\n');
}

function cells({ work, measured, against, busy = '', ratio, aim, reached }: Finding): string[] {
  const verdict = reached === undefined ? '' : reached ? 'yes' : '**no**';
  return [work, measured, against, busy, ratio === undefined ? '' : ratio.toFixed(2), aim, verdict];
}

function line(texts: string[]): string {
  return `| ${texts.join(' | ')} |`;
}
