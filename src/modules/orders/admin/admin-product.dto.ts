import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { PageQuery } from '../../../platform/http/admin-route.js';
import {
  AmountOrNull,
  CountField,
  TimeField,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import { OptionalFlag, OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import type { DescribedField } from '../../../platform/validation/described-field.js';
import { Fault } from '../../../platform/validation/fault-decorator.js';
import { Transform } from '../../../platform/validation/named-fields.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { OptionalEnd } from '../../../platform/validation/typed-fields.decorator.js';
import { MaxChange, PriceStart } from '../../../shared/imports/admin/import-query.js';
import {
  CATALOG_COLUMNS,
  type CatalogColumn,
  type CatalogRow,
  EDITABLE_COLUMNS,
  isAmount,
  PRODUCT_FIELDS,
} from '../../catalog/catalog-columns.js';
import type { ProductChange } from '../../catalog/product-administration.service.js';

/** Numbers in JSON, or null if they are not known. Other columns are texts, as in the catalog file. */
const NUMBERS: ReadonlySet<CatalogColumn> = new Set<CatalogColumn>([
  ...CATALOG_COLUMNS.filter(isAmount),
  'gst_rate',
  'low_stock',
  'weight_grams',
]);

const EXAMPLES: Partial<Record<CatalogColumn, unknown>> = {
  sku: 'MUG',
  name: 'Mug',
  base_price: 249.5,
  delivery_charge: 40,
  active: true,
  images: ['https://shop.example/mug.jpg'],
  variations: 'Color=Red|Blue; Size=S|M',
  gst_rate: 18,
  hsn: '6911',
};

function schemaOf(column: CatalogColumn): ApiPropertyOptions {
  const { label, hint }: DescribedField = PRODUCT_FIELDS[column];
  const description = hint === undefined ? `${label}.` : `${label}. ${hint}.`;
  const example = EXAMPLES[column] ?? (NUMBERS.has(column) ? null : '');
  if (column === 'images') return { description, type: [String], example };
  if (column === 'active') return { description, type: Boolean, example };
  return NUMBERS.has(column)
    ? { description, type: Number, nullable: true, example }
    : { description, type: String, example };
}

/** A value as a cell of the catalog file. An empty text or null empties the field. */
function toCell(value: unknown): unknown {
  if (value === null) return '';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

const Cell = (column: CatalogColumn): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => toCell(value)),
    ValidateIf((_, value) => value !== undefined),
    Fault('wrong_type', 'must be a text, a number, true or false', (cell) => typeof cell === 'string'),
    ApiPropertyOptional(schemaOf(column) as object),
  );

/** The fields of the list of columns, so that a new one is in the API too. */
const ProductColumns = class {} as new () => ProductChange;

@ApiSchema({ name: 'ChangeProduct' })
export class ChangeProductRequest extends ProductColumns {
  @PriceStart('the base price or the GST rate') from?: string;
  @OptionalEnd('When the base price of before returns.') to?: string;
  @MaxChange() max_change?: number;
  @OptionalFlag('Accepts values that look like a mistake: large price changes, prices of 0.') force?: boolean;
  @OptionalText({
    max: 20,
    description: 'The mark of the product that you read. If it has changed since, nothing is written.',
    example: 'bcdfghjklm',
  })
  was?: string;
}

for (const column of EDITABLE_COLUMNS) Cell(column)(ChangeProductRequest.prototype, column);

@ApiSchema({ name: 'AdminProduct' })
export class AdminProductResponse {
  @ApiProperty({ description: 'For `was` of a change.', required: false, example: 'bcdfghjklm' })
  was?: string;
}

for (const column of CATALOG_COLUMNS)
  ApiProperty(schemaOf(column) as object)(AdminProductResponse.prototype, column);

/** A row of the catalog file as JSON. */
export function toProductAnswer(row: CatalogRow & { was?: string }) {
  const entries = Object.entries(row).map(([column, cell]) => {
    if (column === 'images') return [column, String(cell).split(' ').filter(Boolean)];
    return [column, NUMBERS.has(column as CatalogColumn) ? numberOrNull(cell) : cell];
  });
  return Object.fromEntries(entries) as AdminProductResponse & { sku: string };
}

export const numberOrNull = (cell: string | boolean) => (cell === '' ? null : Number(cell));

const CELL = { oneOf: [{ type: 'string' }, { type: 'boolean' }] };

@ApiSchema({ name: 'AdminProductValue' })
class ProductValueResponse {
  @ApiProperty({ description: 'The column.', example: 'base_price' }) column: string;
  @ApiProperty({ description: 'Its value before, as in the catalog file.', ...CELL, example: '249.50' })
  from: string | boolean;

  @ApiProperty({ description: 'Its value now.', ...CELL, example: '260.00' }) to: string | boolean;
}

@ApiSchema({ name: 'AdminProductWarning' })
class ProductWarningResponse {
  @ApiProperty({ description: 'The column.', example: 'gst_rate' }) column: string;
  @ApiProperty({ description: 'The warning.', example: 'is 0, and the product is taxable' }) message: string;
}

@ApiSchema({ name: 'AdminOpenOrder' })
class OpenOrderResponse {
  @ApiProperty({ description: 'The order.', example: 'WO-20261120-7K3M9-QXA2B' }) order_number: string;
  @ApiProperty({ description: 'Its status.', example: 'pending' }) status: string;
  @CountField('How many are still to be shipped.', 2) quantity: number;
}

@ApiSchema({ name: 'AdminProductChange' })
export class AdminProductChangeResponse {
  @ApiProperty({ description: 'The product after it; not with dates.', required: false })
  product?: AdminProductResponse;

  @ApiProperty({ description: 'The values that changed.', type: [ProductValueResponse], required: false })
  changed?: ProductValueResponse[];

  @ApiProperty({ description: 'Warnings.', type: [ProductWarningResponse] })
  warnings: ProductWarningResponse[];

  @ApiProperty({
    description: 'After a product was taken off sale: its open orders.',
    type: [OpenOrderResponse],
    required: false,
  })
  open_orders?: OpenOrderResponse[];

  @ApiProperty({
    description: 'With dates: the number of the scheduled change.',
    required: false,
    example: 7,
  })
  change?: number;

  @ApiProperty({ description: 'With dates: the product.', required: false, example: 'MUG' }) sku?: string;
  @ApiProperty({ description: 'With dates: how many prices change.', required: false, example: 1 })
  prices?: number;

  @TimeField('With dates: when they change.', '2026-12-01T00:00:00.000Z', { required: false }) from?: Date;
  @ApiProperty({
    description: 'With dates: when the earlier ones return; null if they stay.',
    type: String,
    format: 'date-time',
    nullable: true,
    required: false,
    example: null,
  })
  to?: Date | null;

  @ApiProperty({ description: 'With dates: the column.', required: false, example: 'base_price' })
  column?: string;

  @ApiProperty({
    description: 'With dates: its value now.',
    type: Number,
    required: false,
    nullable: true,
    example: 249.5,
  })
  old?: number | null;

  @ApiProperty({ description: 'With dates: its value then.', type: Number, required: false, example: 260 })
  new?: number;
}

export class AdminProductsQuery extends PageQuery {
  @OptionalText({
    max: 200,
    description: 'Only products with all these words in SKU, name or category, or with this barcode.',
    example: 'mug red',
  })
  search?: string;

  @OptionalText({ max: 100, description: 'Only this category, in any case.', example: 'Kitchen' })
  category?: string;

  @OptionalBooleanParameter({ description: 'Only products that are, or are not, for sale.', example: true })
  active?: boolean;
}

@ApiSchema({ name: 'AdminProductRow' })
export class AdminProductRowResponse {
  @ApiProperty({ description: 'The SKU.', example: 'MUG' }) sku: string;
  @ApiProperty({ description: 'The name.', example: 'Mug' }) name: string;
  @ApiProperty({ description: 'The category, or empty.', example: 'Kitchen' }) category: string;
  @ApiProperty({ description: 'The barcode, or empty.', example: '4006381333931' }) barcode: string;
  @ApiProperty({ description: 'Where it lies in the warehouse, or empty.', example: 'A-12-3' }) shelf: string;
  @AmountOrNull('Before the discounts of the plans.', 249.5) base_price: number;
  @ApiProperty({ description: 'Whether it is for sale.', example: true }) active: boolean;
  @WholeNumberField('On hand, all variations together.', 24) on_hand: number;
  @WholeNumberField('Held by orders.', 4) held: number;
}
