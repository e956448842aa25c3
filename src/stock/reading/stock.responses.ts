import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { ProductDataResponse } from '../../catalog/reading/product.responses.js';

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

export class StockListResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({ description: 'How many products stand in `data`.', type: 'integer', minimum: 0, example: 1 })
  total: number;

  @ApiProperty({ description: 'The stock records, in no promised order.', type: [StockRecordResponse] })
  data: StockRecordResponse[];

  @ApiProperty({
    description: 'Those of the `skus` that no active product has.',
    type: [String],
    example: [],
  })
  unknown: string[];

  @ApiPropertyOptional({
    description: 'With `since`: SKUs that are no longer sold. The list may name some that you never had.',
    type: [String],
    example: [],
  })
  removed?: string[];

  @ApiProperty({ description: 'The `since` of your next call.', example: 'Aacf3k0TbKAAAAAAAAAAAAMg5_3HkQ' })
  sync_token: string;
}
