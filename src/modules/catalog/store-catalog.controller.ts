import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import type { Caller } from '../../read-model/callers/caller.js';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import type { Representation } from '../../platform/http/representation.js';
import { ValidQuery } from '../../platform/validation/valid.decorator.js';
import { CatalogService } from './catalog.service.js';
import {
  CategoryListQuery,
  CategoryListResponse,
  ProductListQuery,
  ProductListResponse,
  ProductResponse,
} from './catalog.dto.js';

export const SKU = {
  name: 'sku',
  description: 'The product SKU, percent-encoded.',
  example: 'TSHIRT-CLASSIC',
};

@ApiTags('Catalog')
@Controller('api')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @StoreRoute({
    method: 'GET',
    path: 'products',
    tokens: TOKEN_KINDS,
    operationId: 'listProducts',
    summary: 'List products',
    description:
      'All active products at the prices of your plan. Keep the `sync_token` of the answer and pass it as ' +
      '`since` next time. Then you get only changes (stock, prices, texts, new products) and the SKUs that ' +
      'are no longer sold. If most of a large list changed, you get all of it.',
    slot: 'none',
    answer: { type: ProductListResponse, isConditional: true },
    errors: ['sync_token_expired'],
  })
  list(
    @CurrentCaller() { plan }: Caller,
    @ValidQuery({ skus: 'GET /api/products/{sku}, or "skus" of GET /api/stock' }) query: ProductListQuery,
  ): Representation | Promise<Representation> {
    return this.catalog.list(plan, query);
  }

  @StoreRoute({
    method: 'GET',
    path: 'products/:sku',
    tokens: TOKEN_KINDS,
    operationId: 'getProduct',
    summary: 'Read one product',
    description:
      'With variations and delivery charge, and with HSN code, GST rate, unit, barcode, weight, MRP, ' +
      'country of origin, manufacturer, net quantity and a page of details where they are known.',
    parameter: SKU,
    slot: 'none',
    answer: { type: ProductResponse, isConditional: true },
    errors: ['product_not_found', 'malformed_path'],
  })
  one(@CurrentCaller() { plan }: Caller, @Param('sku') sku: string): Representation {
    return this.catalog.one(plan, sku);
  }

  @StoreRoute({
    method: 'GET',
    path: 'categories',
    tokens: TOKEN_KINDS,
    operationId: 'listCategories',
    summary: 'List categories',
    description:
      'The categories of all active products, with the number of products in each. Names that differ only ' +
      'in case are one category. Products without a category are not counted.',
    slot: 'none',
    answer: { type: CategoryListResponse, isConditional: true },
  })
  categories(@CurrentCaller() { plan }: Caller, @ValidQuery() _: CategoryListQuery): Representation {
    return this.catalog.categories(plan);
  }
}
