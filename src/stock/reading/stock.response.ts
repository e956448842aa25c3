import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { ProductDataResponse } from '../../catalog/reading/product.response.js';

/** What can be sold of one product, as it stands in lists. */
export class StockRecordResponse extends IntersectionType(
  PickType(ProductDataResponse, ['sku', 'stock_qty']),
  PickType(ProductDataResponse, ['in_stock']),
  PickType(ProductDataResponse, ['has_variations', 'variation_stocks']),
) {}

export class StockResponse extends StockRecordResponse {
  @ApiProperty({ example: true })
  success: boolean;
}
