import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { StockRecordResponse } from '../../stock/reading/stock.responses.js';

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

class VariationResponse {
  @ApiProperty({ example: 'Size' })
  name: string;

  @ApiProperty({ type: [String], example: ['M', 'L'] })
  values: string[];
}

class VariationsResponse {
  @ApiProperty({ description: 'In what the product varies; empty if in nothing.', type: [VariationResponse] })
  variations: readonly VariationResponse[];
}

class DeliveryResponse {
  @ApiProperty({
    description: 'Charged once for each order that has the product in it.',
    minimum: 0,
    example: 40,
  })
  delivery_charge: number;
}

/** A product on its own: the specified fields in their order, then what lists tell besides. */
export class ProductDataResponse extends IntersectionType(
  PickType(StockRecordResponse, ['sku']),
  PickType(ProductItemResponse, ['name', 'stock_qty']),
  PickType(StockRecordResponse, ['has_variations']),
  VariationsResponse,
  PickType(StockRecordResponse, ['variation_stocks']),
  DeliveryResponse,
  PickType(ProductItemResponse, ['pricing']),
  PickType(ProductItemResponse, ['id', 'description', 'category', 'images']),
) {
  @ApiProperty({ example: true })
  in_stock: boolean;
}

export class ProductResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({ type: ProductDataResponse })
  data: ProductDataResponse;
}

export class ProductListResponse {
  @ApiProperty({ description: 'True; the other answers of this API call it `success`.', example: true })
  status: boolean;

  @ApiProperty({
    description:
      'How many products match; with `limit`, on all pages together. With `since`, how many stand in `data`.',
    type: 'integer',
    minimum: 0,
    example: 1,
  })
  total: number;

  @ApiProperty({ description: 'In the order of their ids.', type: [ProductItemResponse] })
  data: ProductItemResponse[];

  @ApiPropertyOptional({
    description: 'With `limit`, on every page but the last: the `cursor` of the next one.',
    example: 'AAAAZGCqEBA',
  })
  next_cursor?: string;

  @ApiPropertyOptional({
    description:
      'With `since`: SKUs that are no longer sold. Delete them; the list may name some that you never had.',
    type: [String],
    example: [],
  })
  removed?: string[];

  @ApiPropertyOptional({
    description:
      'The `since` of your next call. On whole lists and changes, and on the first page of a list without filter: keep that one until you have read all pages.',
    example: 'Aacf3k0TbKAAAAABAAAAAAMgq1zuDA',
  })
  sync_token?: string;
}
