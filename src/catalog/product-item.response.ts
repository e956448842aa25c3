import { ApiProperty } from '@nestjs/swagger';

export class PricingResponse {
  @ApiProperty({
    description: "The price at the caller's plan, with at most 2 decimals.",
    minimum: 0,
    example: 224.91,
  })
  wholesale_price: number;

  @ApiProperty({ description: 'ISO 4217 code.', example: 'INR' })
  currency: string;
}

/** A product as it stands in lists. */
export class ProductItemResponse {
  @ApiProperty({ description: 'Product record id.', type: 'integer', example: 1 })
  id: number;

  @ApiProperty({
    description: 'The key used in paths and order items.',
    minLength: 1,
    maxLength: 64,
    example: 'TSHIRT-01',
  })
  sku: string;

  @ApiProperty({ example: 'Cotton T-shirt' })
  name: string;

  @ApiProperty({ example: 'Combed cotton, 180 g.' })
  description: string;

  @ApiProperty({ example: 'Apparel' })
  category: string;

  @ApiProperty({
    description: 'What can be sold now, of all variations together.',
    type: 'integer',
    minimum: 0,
    example: 120,
  })
  stock_qty: number;

  @ApiProperty({
    description: 'Image URLs.',
    type: [String],
    example: ['https://cdn.example.com/tshirt-01.jpg'],
  })
  images: readonly string[];

  @ApiProperty({ type: PricingResponse })
  pricing: PricingResponse;
}
