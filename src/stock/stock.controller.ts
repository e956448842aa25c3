import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../platform/access/access.decorators.js';
import { ApiErrors, ApiConditional } from '../platform/http/api-errors.decorator.js';
import type { Representation } from '../platform/http/representation.js';
import { Charged, forNamed } from '../platform/rate-limit/prices.js';
import { RepeatedQuery } from '../platform/validation/valid.decorator.js';
import { StockListQuery } from './reading/stock-list.query.js';
import { StockListResponse, StockResponse } from './reading/stock.responses.js';
import { StockService } from './stock.service.js';

@ApiTags('Stock')
@Controller('api')
export class StockController {
  constructor(private readonly stock: StockService) {}

  @Get('products/:sku/stock')
  @Authenticated()
  @ApiOperation({
    operationId: 'getStock',
    summary: 'Check the stock of one product',
    description: 'In total and of each variation.',
  })
  @ApiParam({ name: 'sku', description: 'The product SKU, percent-encoded.', example: 'TSHIRT-CLASSIC' })
  @ApiConditional(StockResponse)
  @ApiErrors('product_not_found', 'malformed_path')
  one(@Param('sku') sku: string): Representation {
    return this.stock.one(sku);
  }

  @Get('stock')
  @Authenticated()
  @Charged(forNamed('skus'))
  @ApiOperation({
    operationId: 'listStock',
    summary: 'Check the stock of many products',
    description:
      'Of all products, of those you name, or only of those whose stock changed: keep the `sync_token` of the answer and pass it as `since` the next time. After a change of most of a large list you get all of it. One such call every 15 minutes replaces one call for each product.',
  })
  @ApiConditional(StockListResponse)
  @ApiErrors('validation_failed', 'sync_token_expired')
  list(@RepeatedQuery() query: StockListQuery): Representation | Promise<Representation> {
    return this.stock.list(query);
  }
}
