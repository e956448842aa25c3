import type { EntityManager } from 'typeorm';
import { Product } from '../products/product.entity.js';
import { resolveVariation } from '../products/rules/resolve-variation.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { variationKeys } from '../read-model/products/variations.js';
import type { StockKey } from './stock-holdings.js';

/** Which thing is meant by a SKU and the text of a variation, or a refusal that names those there are. */
export async function findStockKey(
  manager: EntityManager,
  sku: string,
  variation: string | undefined,
): Promise<StockKey> {
  const product = await manager.findOne(Product, { select: { id: true, variations: true }, where: { sku } });
  if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
  const keys = variationKeys(product.variations);
  const text = variation?.trim() ?? '';
  if (product.variations.length === 0) {
    if (text !== '') throw new DomainError('invalid_value', `${sku} has no variations.`);
    return { productId: product.id, variationKey: '' };
  }
  const resolved = resolveVariation(product.variations, keys, text);
  if ('key' in resolved) return { productId: product.id, variationKey: resolved.key };
  const complaint =
    resolved.error === 'variation_required' ? 'comes in variations' : `has no variation "${text}"`;
  throw new DomainError('invalid_value', `${sku} ${complaint}. Name one of: ${keys.join(', ')}.`);
}
