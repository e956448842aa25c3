import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { AlwaysTrue, CountField, WholeNumberField } from '../../platform/http/answer-fields.decorator.js';
import { OptionalText } from '../../platform/validation/body-fields.decorator.js';
import { Fault, Optional } from '../../platform/validation/fault-decorator.js';
import { IgnoredParametersField } from '../../platform/validation/ignored-parameters.js';
import {
  OptionalBooleanParameter,
  OptionalNamesParameter,
  OptionalNumberParameter,
} from '../../platform/validation/query-parameters.decorator.js';
import { readCursor } from '../../read-model/synced-lists/page-cursor.js';
import { Since } from '../../read-model/synced-lists/sync-token.js';

export class StockRecordResponse {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'TSHIRT-CLASSIC' })
  sku: string;

  @CountField('For sale now, all variations together.', 120)
  stock_qty: number;

  @ApiProperty({ example: true })
  in_stock: boolean;

  @ApiProperty({ example: true })
  has_variations: boolean;

  @ApiProperty({
    description:
      'For sale now, by variation: `<name>:<value>` pairs joined with `|`. Empty without variations.',
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { 'Size:M': 70, 'Size:L': 50 },
  })
  variation_stocks: Record<string, number>;
}

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

export class ProductItemResponse {
  @WholeNumberField('Product record id.', 1)
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

  @CountField('For sale now, all variations together.', 120)
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
  @ApiProperty({
    description: 'The variations of the product; empty if it has none.',
    type: [VariationResponse],
  })
  variations: readonly VariationResponse[];
}

class DeliveryResponse {
  @ApiProperty({
    description: 'Charged once for each order that contains the product.',
    minimum: 0,
    example: 40,
  })
  delivery_charge: number;
}

/** Each field is absent while its value is not known. */
export class ProductDetailsResponse {
  @ApiPropertyOptional({ description: 'The HSN code: 4, 6 or 8 digits.', example: '6109' })
  hsn?: string;

  @ApiPropertyOptional({
    description: 'The rate of GST in percent. The price includes this tax.',
    minimum: 0,
    maximum: 100,
    example: 5,
  })
  gst_rate?: number;

  @ApiPropertyOptional({ description: 'The unit code of GST, as on invoices.', example: 'NOS' })
  unit?: string;

  @ApiPropertyOptional({
    description: 'EAN, UPC or GTIN. Absent if each variation has its own.',
    example: '4006381333931',
  })
  barcode?: string;

  @ApiPropertyOptional({
    description: 'The weight of one unit, packed.',
    type: 'integer',
    minimum: 1,
    example: 190,
  })
  weight_grams?: number;

  @ApiPropertyOptional({
    description: 'The maximum retail price of one unit, with all taxes, in the currency of `pricing`.',
    minimum: 0.01,
    example: 499,
  })
  mrp?: number;

  @ApiPropertyOptional({ description: 'The English name of the country.', example: 'India' })
  country_of_origin?: string;

  @ApiPropertyOptional({
    description: 'The manufacturer or importer, with address.',
    example: 'Tiruppur Knits, 14 Avinashi Road, Tiruppur 641602',
  })
  manufacturer?: string;

  @ApiPropertyOptional({ description: 'As on the pack.', example: '1 N' })
  net_quantity?: string;

  @ApiPropertyOptional({
    description: 'A page about the product.',
    example: 'https://www.example.com/products/tshirt-classic',
  })
  details_url?: string;
}

/** The fields of the contract in their order, then more fields of the list form. */
export class ProductDataResponse extends IntersectionType(
  PickType(StockRecordResponse, ['sku']),
  PickType(ProductItemResponse, ['name', 'stock_qty']),
  PickType(StockRecordResponse, ['has_variations']),
  VariationsResponse,
  PickType(StockRecordResponse, ['variation_stocks']),
  DeliveryResponse,
  PickType(ProductItemResponse, ['pricing']),
  PickType(ProductItemResponse, ['id', 'description', 'category', 'images']),
  ProductDetailsResponse,
) {
  @ApiProperty({ example: true })
  in_stock: boolean;
}

export class ProductResponse {
  @AlwaysTrue()
  success: true;

  @ApiProperty({ type: ProductDataResponse })
  data: ProductDataResponse;
}

/** With `expand`, the list has more fields of the single form. */
class ListedProductResponse extends IntersectionType(
  ProductItemResponse,
  PartialType(
    IntersectionType(
      PickType(StockRecordResponse, ['has_variations', 'variation_stocks']),
      VariationsResponse,
      DeliveryResponse,
      ProductDetailsResponse,
    ),
  ),
) {}

export class ProductListResponse {
  @AlwaysTrue('Always true. Other answers of this API have `success` instead.')
  status: true;

  @CountField('How many products match; with `limit`, on all pages. With `since`, how many are in `data`.', 1)
  total: number;

  @ApiProperty({ description: 'In the order of their ids.', type: [ListedProductResponse] })
  data: ListedProductResponse[];

  @ApiPropertyOptional({
    description: 'With `limit`, on every page but the last: the `cursor` of the next one.',
    example: 'AAAAZGCqEBA',
  })
  next_cursor?: string;

  @ApiPropertyOptional({
    description: 'With `limit` or `cursor`: true if there is another page. Other lists come whole.',
    example: true,
  })
  has_more?: boolean;

  @ApiPropertyOptional({
    description:
      'With `since`: SKUs that are no longer sold. Delete them; the list may name some that you never had.',
    type: [String],
    example: [],
  })
  removed?: string[];

  @ApiPropertyOptional({
    description:
      'The `since` of your next call. On whole lists and changes, and on the first page of a list without ' +
      'filter. Keep the one of the first page until you have read all pages.',
    example: 'A6cf3k0TbAAAAAcAAAAAAyAAAAAAAx_IGW36HI1YKkwCLhk',
  })
  sync_token?: string;

  @IgnoredParametersField()
  ignored_parameters?: string[];
}

/** The list of categories takes no parameters. It refuses those for pages. */
export class CategoryListQuery {}

export class CategoryResponse {
  @ApiProperty({
    description: 'Pass it as `category` to list its products.',
    minLength: 1,
    maxLength: 100,
    example: 'Apparel',
  })
  name: string;

  @ApiProperty({ description: 'How many products it has.', type: 'integer', minimum: 1, example: 9 })
  products: number;
}

export class CategoryListResponse {
  @AlwaysTrue()
  success: true;

  @CountField('How many categories there are.', 1)
  total: number;

  @ApiProperty({ description: 'In the order of their names.', type: [CategoryResponse] })
  data: CategoryResponse[];

  @IgnoredParametersField()
  ignored_parameters?: string[];
}

export const EXPANSIONS = ['variations', 'delivery_charge', 'details'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

export class ProductListQuery {
  @OptionalNumberParameter({
    min: 1,
    max: 1_000,
    description: 'The maximum number of products on a page. Without it you get all products.',
    example: 100,
  })
  limit?: number;

  @Optional()
  @Fault(
    'malformed',
    'is not a cursor; send the "next_cursor" of the previous page',
    (value) => typeof value === 'string' && readCursor(value) !== undefined,
  )
  @ApiPropertyOptional({
    description: 'The `next_cursor` of the previous page.',
    type: String,
    example: 'AAAAAS8ucd0',
  })
  cursor?: string;

  @OptionalText({ max: 200, description: 'Only products of this category, in any case.', example: 'Apparel' })
  category?: string;

  @OptionalText({
    max: 200,
    description: 'Only products whose SKU or name contains this text, in any case.',
    example: 'shirt',
  })
  search?: string;

  @OptionalBooleanParameter({
    description: 'Only products that can be sold now, or only products that cannot.',
    example: true,
  })
  in_stock?: boolean;

  @OptionalNamesParameter(
    EXPANSIONS,
    'More of the single form in each product, so that a copy of the catalog needs no call per product. ' +
      '`variations` adds `has_variations`, `variations` and `variation_stocks`; `delivery_charge` adds ' +
      'itself; `details` adds `hsn`, `gst_rate`, `unit`, `barcode`, `weight_grams`, `mrp`, ' +
      '`country_of_origin`, `manufacturer`, `net_quantity` and `details_url`, where known. It combines ' +
      'with every other parameter: send it with each page and each `since` as well.',
  )
  expand?: Expansion[];

  @Since('limit', 'cursor', 'category', 'search', 'in_stock')
  since?: string;
}
