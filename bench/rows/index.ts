import type { Row } from '../row.js';
import { command } from './command.js';
import { coldOrders } from './first-minute.js';
import { imports } from './imports.js';
import { memory } from './memory.js';
import { orderOneByOne } from './order-one-by-one.js';
import { orderPlaced } from './order-placed.js';
import { otherBuild } from './other-build.js';
import { READS } from './reads.js';
import { walk } from './walk.js';
import { workers } from './workers.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  ...READS,
  command,
  ...memory,
  orderPlaced,
  orderOneByOne,
  ...coldOrders,
  workers,
  imports,
  walk,
  otherBuild,
];
