import { busyOf, costOf, paceOf } from './figures.js';
import type { Comparison } from './load/compare.js';

/** One line of the table. */
export interface Finding {
  work: string;
  measured: string;
  /** The reference, with its own figure. */
  against: string;
  /** Percent of a core that the server and the load generator used, for both contenders. */
  busy?: string;
  ratio?: number;
  aim: string;
  /** Missing when the figure is only reported. */
  reached?: boolean;
}

/** Judges a ratio against a lower or upper limit. Without a limit it is only reported. */
export function judge(
  ratio: number,
  sign: '≥' | '≤' = '≥',
  aim?: number,
): Pick<Finding, 'ratio' | 'aim' | 'reached'> {
  if (aim === undefined) return { ratio, aim: 'reported' };
  return { ratio, aim: `${sign} ${aim}`, reached: sign === '≥' ? ratio >= aim : ratio <= aim };
}

/**
 * Returns a line for each reference. `by` selects the processor time of the server or the answers per second.
 */
export function against(
  work: string,
  { speed, others }: Comparison,
  references: { name: string; aim?: number }[],
  by: 'cost' | 'rate' = 'cost',
): Finding[] {
  const figure = by === 'cost' ? costOf : paceOf;
  return references.map(({ name, aim }, index) => ({
    work,
    measured: figure(speed),
    against: `${name}: ${figure(others[index]!.speed)}`,
    busy: busyOf(speed, others[index]!.speed),
    ...judge(others[index]![by], '≥', aim),
  }));
}
