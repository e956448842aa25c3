import type { Bench } from './bench.js';
import type { Finding } from './finding.js';

export interface Row {
  /** For `--only`. */
  id: string;
  measure(bench: Bench): Promise<Finding[]>;
}
