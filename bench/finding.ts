/** One line of the table. */
export interface Finding {
  work: string;
  measured: string;
  /** What it is held against, with its own figure. */
  against: string;
  ratio?: number;
  aim: string;
  /** Not there where the figure is only reported. */
  reached?: boolean;
}

/** Judges a ratio that should be at least, or at most, this. */
export function judge(
  ratio: number,
  sign: '≥' | '≤',
  aim: number,
): Pick<Finding, 'ratio' | 'aim' | 'reached'> {
  return { ratio, aim: `${sign} ${aim}`, reached: sign === '≥' ? ratio >= aim : ratio <= aim };
}
