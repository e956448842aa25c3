import { amountFromMinor } from '../platform/money/money.js';
import type { ListForm } from '../read-model/lists/list-pieces.js';
import type { PlanView } from '../read-model/products/plan-view.js';
import { type ProductView, stockQuantity, variationStocks } from '../read-model/products/product-view.js';
import type {
  PricingResponse,
  ProductItemResponse,
  ProductListResponse,
  ProductResponse,
} from './catalog.dto.js';

export function toProductItem(product: ProductView, plan: PlanView, currency: string): ProductItemResponse {
  return {
    id: product.id,
    sku: product.sku,
    name: product.name,
    description: product.description,
    category: product.category,
    stock_qty: stockQuantity(product),
    images: product.images,
    pricing: toPricing(product, plan, currency),
  };
}

/** The fields of the contract come first. */
export function toProductResponse(product: ProductView, plan: PlanView, currency: string): ProductResponse {
  const quantity = stockQuantity(product);
  return {
    success: true,
    data: {
      sku: product.sku,
      name: product.name,
      stock_qty: quantity,
      has_variations: product.variations.length > 0,
      variations: product.variations,
      variation_stocks: variationStocks(product),
      delivery_charge: amountFromMinor(product.deliveryCharge),
      pricing: toPricing(product, plan, currency),
      id: product.id,
      description: product.description,
      category: product.category,
      images: product.images,
      in_stock: quantity > 0,
    },
  };
}

/** The whole catalog, written for one plan. */
export function catalogForm(currency: string): ListForm<PlanView> {
  return {
    name: `catalog 1 ${currency}`,
    head: (total) => `{"status":true,"total":${total},"data":[`,
    item: (product, plan) => toProductItem(product, plan, currency),
    tail: (syncToken) => `],"sync_token":${JSON.stringify(syncToken)}}`,
    changesTail: (removed, syncToken) =>
      `],"removed":${JSON.stringify(removed)},"sync_token":${JSON.stringify(syncToken)}}`,
  };
}

/** The end of a page. Undefined fields are left out. */
export function pageTail(end: Pick<ProductListResponse, 'next_cursor' | 'sync_token'>): string {
  const [, ...fields] = JSON.stringify(end);
  return fields.length > 1 ? `],${fields.join('')}` : ']}';
}

function toPricing(product: ProductView, plan: PlanView, currency: string): PricingResponse {
  return { wholesale_price: amountFromMinor(plan.priceOf(product)), currency };
}
