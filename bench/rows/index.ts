import type { Row } from '../row.js';
import { catalogSize } from './catalog-size.js';
import { dashboardPage } from './dashboard-page.js';
import { databaseLoad } from './database-load.js';
import { deltas } from './delta.js';
import { listAfterChange } from './list-after-change.js';
import { listNotModified } from './list-not-modified.js';
import { imports } from './imports.js';
import { largeCatalog, memory } from './memory.js';
import { observability } from './observability.js';
import { orderPlaced } from './order-placed.js';
import { otherBuild } from './other-build.js';
import { walletPayments, webhooksSettled } from './payments.js';
import { requestLog } from './request-log.js';
import { page } from './page.js';
import { statusPoll } from './status-poll.js';
import { stockCheck } from './stock-check.js';
import { wholeLists } from './whole-list.js';
import { workers } from './workers.js';

/** In the order of the table. */
export const ROWS: Row[] = [
  stockCheck,
  observability,
  requestLog,
  ...wholeLists,
  listNotModified,
  page,
  listAfterChange,
  ...deltas,
  catalogSize,
  memory,
  largeCatalog,
  databaseLoad,
  orderPlaced,
  statusPoll,
  workers,
  dashboardPage,
  walletPayments,
  webhooksSettled,
  imports,
  otherBuild,
];
