import type { Bench } from './bench.js';
import type { Comparison, Speed } from './load/compare.js';

export interface Row {
  /** The name for `--only`. */
  id: string;
  measure(bench: Bench): Promise<Finding[]>;
}

/** One line of the table. */
export interface Finding {
  work: string;
  measured: string;
  /** The reference, with its own figure. */
  against: string;
  ratio?: number;
  aim: string;
  /** Missing when the figure is only reported. */
  reached?: boolean;
}

/** Compares a ratio with its lower limit. Without a limit it is only reported. */
export function compareToAim(ratio: number, aim?: number): Pick<Finding, 'ratio' | 'aim' | 'reached'> {
  return aim === undefined ? { ratio, aim: 'reported' } : { ratio, aim: `≥ ${aim}`, reached: ratio >= aim };
}

/** Cost decides for requests from memory, rate where a request waits for PostgreSQL. */
export function finding(
  work: string,
  comparison: Comparison,
  reference: string,
  by: 'cost' | 'rate',
  aim?: number,
): Finding {
  const figure = by === 'cost' ? costOf : paceOf;
  const { ours, other } = comparison;
  return {
    work,
    measured: figure(ours),
    against: `${reference}: ${figure(other)}`,
    ...compareToAim(comparison[by], aim),
  };
}

function costOf({ cost, rate }: Speed): string {
  return `${micros(cost)}, ${perSecond(rate)}`;
}

export function paceOf({ cost, postgresCost, rate, p99, refused }: Speed): string {
  const pace = `${perSecond(rate)}, p99 ${milliseconds(p99)}; ${micros(cost)} + ${micros(postgresCost)}`;
  return refused > 0 ? `${pace}; ${refused} refused` : pace;
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')} req/s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}

export function micros(cost: number): string {
  return cost < 1_000 ? `${cost.toFixed(1)} µs` : milliseconds(cost / 1_000);
}

/** Returns the findings as a Markdown table with aligned columns, readable as plain text too. */
export function table(findings: Finding[]): string {
  const headings = ['work', 'measured', 'against', 'ratio', 'aim', 'reached'];
  const cells = findings.map(({ work, measured, against, ratio, aim, reached }) => {
    const reachedText = reached === undefined ? '' : reached ? 'yes' : '**no**';
    return [work, measured, against, ratio?.toFixed(2) ?? '', aim, reachedText];
  });
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...cells.map((row) => row[at]!.length)),
  );
  const rows = [headings, widths.map((width) => '-'.repeat(width)), ...cells];
  return rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`).join('\n');
}
