import type { Row } from '../row.js';
import { coldOrders } from './first-minute.js';
import { deskCost } from './desk.js';
import { databaseLoad } from './database-load.js';
import { imports } from './imports.js';
import { largeHouse } from './large-house.js';
import { listAfterChange } from './list-after-change.js';
import { largeCatalog, memory, mixedLoad } from './memory.js';
import { orderOneByOne } from './order-one-by-one.js';
import { orderPlaced } from './order-placed.js';
import { otherBuild } from './other-build.js';
import { walletPayments, webhooksSettled } from './payments.js';
import { READS } from './reads.js';
import { workers } from './workers.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  ...READS,
  listAfterChange,
  databaseLoad,
  memory,
  mixedLoad,
  largeCatalog,
  orderPlaced,
  orderOneByOne,
  ...coldOrders,
  largeHouse,
  deskCost,
  workers,
  walletPayments,
  webhooksSettled,
  imports,
  otherBuild,
];
