/** Prints the measured figures of a suite to the log of the run. */
export function printFigures(title: string, figures: Record<string, unknown>): void {
  const facts = Object.entries(figures).map(([name, value]) => `${name} ${format(value)}`);
  process.stderr.write(`  figures: ${title}: ${facts.join(', ')}\n`);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function format(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}
