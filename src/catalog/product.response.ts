import { ApiProperty } from '@nestjs/swagger';
import { PricingResponse } from './product-item.response.js';

class VariationResponse {
  @ApiProperty({ example: 'Size' })
  name: string;

  @ApiProperty({ type: [String], example: ['M', 'L'] })
  values: string[];
}

class ProductDataResponse {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'TSHIRT-CLASSIC' })
  sku: string;

  @ApiProperty({ example: 'Classic Cotton T-Shirt' })
  name: string;

  @ApiProperty({
    description: 'What can be sold now, of all variations together.',
    type: 'integer',
    minimum: 0,
    example: 120,
  })
  stock_qty: number;

  @ApiProperty({ example: true })
  has_variations: boolean;

  @ApiProperty({ description: 'In what the product varies; empty if in nothing.', type: [VariationResponse] })
  variations: readonly VariationResponse[];

  @ApiProperty({
    description:
      'What can be sold now of each variation, by `<name>:<value>` pairs joined with `|`; empty without variations.',
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { 'Size:M': 70, 'Size:L': 50 },
  })
  variation_stocks: Record<string, number>;

  @ApiProperty({
    description: 'Charged once for each order that has the product in it.',
    minimum: 0,
    example: 40,
  })
  delivery_charge: number;

  @ApiProperty({ type: PricingResponse })
  pricing: PricingResponse;

  @ApiProperty({ description: 'Product record id.', type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Round-neck T-shirt in 180 gsm combed cotton.' })
  description: string;

  @ApiProperty({ example: 'Apparel' })
  category: string;

  @ApiProperty({
    description: 'Image URLs.',
    type: [String],
    example: ['https://images.example.com/products/tshirt-classic-1.jpg'],
  })
  images: readonly string[];

  @ApiProperty({ example: true })
  in_stock: boolean;
}

export class ProductResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({ type: ProductDataResponse })
  data: ProductDataResponse;
}
