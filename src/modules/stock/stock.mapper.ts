import type { ListForm } from '../../read-model/synced-lists/list-pieces.js';
import { type ProductView, variationStocks } from '../../read-model/products/product-view.js';
import type { StockRecordResponse } from '../catalog/catalog.dto.js';

export function toStockRecord(product: ProductView): StockRecordResponse {
  const quantity = product.quantity;
  return {
    sku: product.sku,
    stock_qty: quantity,
    in_stock: quantity > 0,
    has_variations: product.variations.length > 0,
    variation_stocks: variationStocks(product),
  };
}

/** The stock is the same for all plans. */
export const STOCK_FORM: ListForm<undefined> = {
  name: 'stock 1',
  head: (total) => `{"success":true,"total":${total},"data":[`,
  item: toStockRecord,
  tail: (syncToken) => `],"unknown":[],"sync_token":${JSON.stringify(syncToken)}}`,
  changesTail: (removed, syncToken) =>
    `],"unknown":[],"removed":${JSON.stringify(removed)},"sync_token":${JSON.stringify(syncToken)}}`,
};
