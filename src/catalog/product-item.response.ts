import { ApiProperty } from '@nestjs/swagger';

export class PricingResponse {
  @ApiProperty({
    description: "The price at the caller's plan, with at most 2 decimals.",
    minimum: 0,
    example: 159,
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
    example: 'TSHIRT-CLASSIC',
  })
  sku: string;

  @ApiProperty({ example: 'Classic Cotton T-Shirt' })
  name: string;

  @ApiProperty({ example: 'Round-neck T-shirt in 180 gsm combed cotton.' })
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
    example: ['https://images.example.com/products/tshirt-classic-1.jpg'],
  })
  images: readonly string[];

  @ApiProperty({ type: PricingResponse })
  pricing: PricingResponse;
}
