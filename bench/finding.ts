import { busyOf, costOf, paceOf } from './figures.js';
import type { Comparison } from './load/compare.js';

/** One line of the table. */
export interface Finding {
  work: string;
  measured: string;
  /** The reference, with its own figure. */
  against: string;
  /** In percent of a core: the server and the generator of load, of both contenders. */
  busy?: string;
  ratio?: number;
  aim: string;
  /** Left out if the figure is only reported. */
  reached?: boolean;
}

/** Judges a ratio that should be at least, or at most, this. Without an aim it is only reported. */
export function judge(
  ratio: number,
  sign: '≥' | '≤' = '≥',
  aim?: number,
): Pick<Finding, 'ratio' | 'aim' | 'reached'> {
  if (aim === undefined) return { ratio, aim: 'reported' };
  return { ratio, aim: `${sign} ${aim}`, reached: sign === '≥' ? ratio >= aim : ratio <= aim };
}

/** A line for each reference. `by` says what counts: processor time of the server, or answers a second. */
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
