import type { Bench } from './bench.js';
import type { Finding } from './finding.js';

export interface Row {
  /** The name for `--only`. */
  id: string;
  measure(bench: Bench): Promise<Finding[]>;
}
