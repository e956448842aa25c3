import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import { SKU } from '../catalog/store-catalog.controller.js';
import type { Representation } from '../../platform/http/representation.js';
import { ValidQuery } from '../../platform/validation/valid.decorator.js';
import { StockListQuery, StockListResponse, StockResponse } from './stock.dto.js';
import { StockService } from './stock.service.js';

@ApiTags('Stock')
@Controller('api')
export class StockController {
  constructor(private readonly stock: StockService) {}

  @StoreRoute({
    method: 'GET',
    path: 'products/:sku/stock',
    tokens: TOKEN_KINDS,
    operationId: 'getStock',
    summary: 'Check the stock of one product',
    description: 'In total and of each variation.',
    parameter: SKU,
    slot: 'none',
    answer: { type: StockResponse, isConditional: true },
    errors: ['product_not_found', 'malformed_path'],
  })
  one(@Param('sku') sku: string): Representation {
    return this.stock.one(sku);
  }

  @StoreRoute({
    method: 'GET',
    path: 'stock',
    tokens: TOKEN_KINDS,
    operationId: 'listStock',
    summary: 'Check the stock of many products',
    description:
      'The stock of all products, of the products you name, or only changes: keep the `sync_token` of the ' +
      'answer and pass it as `since` next time. If most of a large list changed, you get all of it. One ' +
      'such call every 15 minutes replaces one call for each product.',
    slot: 'none',
    answer: { type: StockListResponse, isConditional: true },
    errors: ['sync_token_expired'],
  })
  list(@ValidQuery() query: StockListQuery): Representation | Promise<Representation> {
    return this.stock.list(query);
  }
}
