import type { Row } from '../finding.js';
import { command } from './command.js';
import { files } from './files.js';
import { firstMinute } from './first-minute.js';
import { imports } from './imports.js';
import { memory } from './memory.js';
import { oneByOne, order } from './orders.js';
import { otherBuild } from './other-build.js';
import { polledReads } from './reads.js';
import { refreshes } from './refreshes.js';
import { walk } from './walk.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  polledReads,
  command,
  ...memory,
  refreshes,
  order,
  oneByOne,
  ...firstMinute,
  imports,
  files,
  walk,
  otherBuild,
];
