import { ApiProperty } from '@nestjs/swagger';

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
