import { amountFromMinor } from '../../platform/money/money.js';
import type { ListForm } from '../../read-model/synced-lists/list-pieces.js';
import { absolutePictures } from '../pictures/picture-paths.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import { type ProductView, variationStocks } from '../../read-model/products/product-view.js';
import type {
  Expansion,
  PricingResponse,
  ProductDetailsResponse,
  ProductItemResponse,
  ProductListResponse,
  ProductResponse,
} from './catalog.dto.js';

export function toProductItem(
  product: ProductView,
  plan: PlanView,
  currency: string,
  origin: string,
): ProductItemResponse {
  return {
    id: product.id,
    sku: product.sku,
    name: product.name,
    description: product.description,
    category: product.category,
    stock_qty: product.quantity,
    images: absolutePictures(product.images, origin),
    pricing: toPricing(product, plan, currency),
  };
}

/** The fields of the contract come first. */
export function toProductResponse(
  product: ProductView,
  plan: PlanView,
  currency: string,
  origin: string,
): ProductResponse {
  const quantity = product.quantity;
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
      images: absolutePictures(product.images, origin),
      in_stock: quantity > 0,
      ...detailsOf(product),
    },
  };
}

/** JSON leaves out what is not known. */
function detailsOf(product: ProductView): ProductDetailsResponse {
  const { hsn, gstRate, unit, barcode, weightGrams, mrp } = product;
  return {
    hsn: hsn || undefined,
    gst_rate: gstRate ?? undefined,
    unit: unit || undefined,
    barcode: barcode || undefined,
    weight_grams: weightGrams || undefined,
    mrp: mrp === 0 ? undefined : amountFromMinor(mrp),
    country_of_origin: product.countryOfOrigin || undefined,
    manufacturer: product.manufacturer || undefined,
    net_quantity: product.netQuantity || undefined,
    details_url: product.detailsUrl || undefined,
  };
}

/** Fields of the single form that a list holds on request. */
const EXPANDED = {
  variations: (product: ProductView) => ({
    has_variations: product.variations.length > 0,
    variations: product.variations,
    variation_stocks: variationStocks(product),
  }),
  delivery_charge: (product: ProductView) => ({ delivery_charge: amountFromMinor(product.deliveryCharge) }),
  details: detailsOf,
} satisfies Record<Expansion, (product: ProductView) => object>;

export type CatalogForms = (expand?: readonly Expansion[]) => ListForm<PlanView>;

/** The forms of the catalog. Each is one object, because lists are kept by it. */
/** Nodes without a configured address differ in their own ones, but their lists have one name. */
export function catalogForms(currency: string, origin: string, configured = ''): CatalogForms {
  const nameOf = (expand: readonly Expansion[]) => ['catalog 1', currency, configured, ...expand].join(' ');
  const formOf = (expand: readonly Expansion[]) => catalogForm(nameOf(expand), currency, origin, expand);
  const plain = formOf([]);
  const expanded = new Map<string, ListForm<PlanView>>();
  return (expand) => {
    if (!expand) return plain;
    const name = expand.join();
    let form = expanded.get(name);
    if (!form) expanded.set(name, (form = formOf(expand)));
    return form;
  };
}

/** The whole catalog, written for one plan. */
function catalogForm(
  name: string,
  currency: string,
  origin: string,
  expand: readonly Expansion[],
): ListForm<PlanView> {
  return {
    name,
    head: (total) => `{"status":true,"total":${total},"data":[`,
    item: (product, plan) => {
      const item = toProductItem(product, plan, currency, origin);
      for (const each of expand) Object.assign(item, EXPANDED[each](product));
      return item;
    },
    tail: (syncToken) => `],"sync_token":${JSON.stringify(syncToken)}}`,
    changesTail: (removed, syncToken) =>
      `],"removed":${JSON.stringify(removed)},"sync_token":${JSON.stringify(syncToken)}}`,
  };
}

/** The end of a page. Undefined fields are left out. */
export function pageTail(end: Pick<ProductListResponse, 'next_cursor' | 'has_more' | 'sync_token'>): string {
  const [, ...fields] = JSON.stringify(end);
  return fields.length > 1 ? `],${fields.join('')}` : ']}';
}

function toPricing(product: ProductView, plan: PlanView, currency: string): PricingResponse {
  return { wholesale_price: amountFromMinor(plan.priceOf(product)), currency };
}
