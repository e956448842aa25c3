import { numericFromMinor } from '../../platform/money/money.js';
import { formatVariations } from '../rules/variation-list.js';
import type { ProductAtPrice } from './product-at-price.js';

/** The columns of the file that a client takes home, which are spelt as in the wholesaler's catalog file where they are the same. */
export const PRICE_LIST_COLUMNS = [
  'sku',
  'name',
  'description',
  'category',
  'images',
  'variations',
  'wholesale_price',
  'delivery_charge',
  'currency',
  'stock_qty',
  'variation_stocks',
] as const;

export type PriceListRow = Record<(typeof PRICE_LIST_COLUMNS)[number], string | number>;

export function priceListRow(product: ProductAtPrice, currency: string): PriceListRow {
  const { sku, name, description, category, images, variations } = product;
  return {
    sku,
    name,
    description,
    category,
    images: images.join(' '),
    variations: formatVariations(variations),
    wholesale_price: numericFromMinor(product.price),
    delivery_charge: numericFromMinor(product.deliveryCharge),
    currency,
    stock_qty: product.stock,
    variation_stocks: Object.entries(product.variationStocks)
      .map(([key, quantity]) => `${key}=${quantity}`)
      .join('; '),
  };
}
