import type { Row } from '../finding.js';
import { command } from './command.js';
import { files } from './files.js';
import { firstMinute } from './first-minute.js';
import { imports } from './imports.js';
import { memory } from './memory.js';
import { oneByOne, order } from './orders.js';
import { otherBuild } from './other-build.js';
import { READS } from './reads.js';
import { refreshes } from './refreshes.js';
import { walk } from './walk.js';
import { workers } from './workers.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  ...READS,
  command,
  ...memory,
  refreshes,
  order,
  oneByOne,
  ...firstMinute,
  workers,
  imports,
  files,
  walk,
  otherBuild,
];
