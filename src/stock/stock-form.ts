import type { ListForm } from '../read-model/lists/list-pieces.js';
import { toStockRecord } from './stock.mapper.js';

/** The stock of everything, which is the same for all plans. */
export const STOCK_FORM: ListForm<undefined> = {
  name: 'stock 1',
  head: (total) => `{"success":true,"total":${total},"data":[`,
  item: toStockRecord,
  tail: (syncToken) => `],"unknown":[],"sync_token":${JSON.stringify(syncToken)}}`,
  changesTail: (removed, syncToken) =>
    `],"unknown":[],"removed":${JSON.stringify(removed)},"sync_token":${JSON.stringify(syncToken)}}`,
};
