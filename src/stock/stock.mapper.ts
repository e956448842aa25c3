import { stockQuantity, variationStocks } from '../read-model/products/product-stock.js';
import type { ProductView } from '../read-model/products/product-view.js';
import type { StockRecordResponse } from './stock-record.response.js';

/** The fields of a stock record, and their order. */
export function toStockRecord(product: ProductView): StockRecordResponse {
  const quantity = stockQuantity(product);
  return {
    sku: product.sku,
    stock_qty: quantity,
    in_stock: quantity > 0,
    has_variations: product.variations.length > 0,
    variation_stocks: variationStocks(product),
  };
}
