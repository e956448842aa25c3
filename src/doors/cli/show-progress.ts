import type { ImportProgress } from '../../imports/import-report.js';
import type { Surroundings } from './surroundings.js';

const WIDTH = 30;

/** The one thing that may steer the terminal, for nobody else has a say in it: a bar, on standard error; nothing at all where nobody watches. */
export function showProgress({ stderr }: Surroundings): {
  show: (progress: ImportProgress) => void;
  end: () => void;
} {
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined };
  let shown = '';
  return {
    show: ({ phase, done }) => {
      const share = Math.min(Math.max(done, 0), 1);
      const filled = Math.round(share * WIDTH);
      const bar = `${phase} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} %`;
      if (bar !== shown) stderr.write(`\r${bar}\u001B[K`);
      shown = bar;
    },
    end: () => {
      if (shown !== '') stderr.write('\r\u001B[K');
      shown = '';
    },
  };
}
