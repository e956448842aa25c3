import type { Row } from '../row.js';
import { command } from './command.js';
import { coldOrders, newHouses } from './first-minute.js';
import { files } from './files.js';
import { largeHouse } from './large-house.js';
import { largeCatalog, memory } from './memory.js';
import { orderOneByOne } from './order-one-by-one.js';
import { orderPlaced } from './order-placed.js';
import { otherBuild } from './other-build.js';
import { READS } from './reads.js';
import { workers } from './workers.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  ...READS,
  command,
  memory,
  largeCatalog,
  orderPlaced,
  orderOneByOne,
  ...coldOrders,
  newHouses,
  largeHouse,
  workers,
  files,
  otherBuild,
];
