import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** What can be sold of one product, as it stands in lists. */
export class StockRecordResponse {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'TSHIRT-CLASSIC' })
  sku: string;

  @ApiProperty({
    description: 'What can be sold now, of all variations together.',
    type: 'integer',
    minimum: 0,
    example: 120,
  })
  stock_qty: number;

  @ApiProperty({ example: true })
  in_stock: boolean;

  @ApiProperty({ example: true })
  has_variations: boolean;

  @ApiProperty({
    description:
      'What can be sold now of each variation, by `<name>:<value>` pairs joined with `|`; empty without variations.',
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { 'Size:M': 70, 'Size:L': 50 },
  })
  variation_stocks: Record<string, number>;
}

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
