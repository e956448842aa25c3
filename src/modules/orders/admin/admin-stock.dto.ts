import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PageQuery } from '../../../platform/http/admin-route.js';
import { CountField, TimeField, WholeNumberField } from '../../../platform/http/answer-fields.decorator.js';
import {
  OptionalText,
  OptionalWholeNumber,
  RequiredWholeNumber,
} from '../../../platform/validation/body-fields.decorator.js';
import { Fault, Optional } from '../../../platform/validation/fault-decorator.js';
import { OptionalNumberParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { OptionalStart } from '../../../platform/validation/typed-fields.decorator.js';
import { DEFAULT_LOW_STOCK_THRESHOLD, MAX_ON_HAND, parseStockChange } from '../../stock/rules/on-hand.js';

const ByVariation = (description: string) => OptionalText({ max: 500, description, example: 'Red / M' });

class StockRequest {
  @ByVariation('The variation of a product that has variations.') variation?: string;
  @OptionalWholeNumber({
    min: 0,
    max: MAX_ON_HAND,
    description: 'The number on hand that you read. If it is another one now, nothing is changed.',
    example: 10,
  })
  expected?: number;
}

@ApiSchema({ name: 'CountStock' })
export class CountStockRequest extends StockRequest {
  @RequiredWholeNumber({ min: 0, max: MAX_ON_HAND, description: 'How many were counted.', example: 12 })
  quantity: number;
}

@ApiSchema({ name: 'MoveStock' })
export class MoveStockRequest extends StockRequest {
  @RequiredWholeNumber({
    min: -MAX_ON_HAND,
    max: MAX_ON_HAND,
    description: 'How many arrived or, below 0, were removed: breakage, a correction.',
    example: 24,
  })
  @Fault('too_small', 'must not be 0', (value) => parseStockChange(String(value)) !== undefined)
  quantity: number;

  @OptionalText({
    max: 200,
    description: 'The reason, kept with the record; "goods in" or "correction" by default.',
    example: 'Breakage',
  })
  reason?: string;
}

export class LowStockQuery extends PageQuery {
  @Optional()
  @Fault(
    'unknown_value',
    'must be true; GET /api/admin/exports/stock has all stock',
    (value) => value === 'true',
  )
  @ApiPropertyOptional({
    description: 'Says that the list has only what is running out, as it has without it.',
    type: Boolean,
    enum: [true],
    example: true,
  })
  low?: string;

  @OptionalNumberParameter({
    min: 0,
    max: MAX_ON_HAND,
    description: `The threshold of products without their own; ${DEFAULT_LOW_STOCK_THRESHOLD} by default.`,
    example: DEFAULT_LOW_STOCK_THRESHOLD,
  })
  below?: number;
}

export class StockMovementsQuery extends PageQuery {
  @ByVariation('Only this variation.') variation?: string;
  @OptionalStart('Only changes from this time on.') from?: string;
}

class StockCountsResponse {
  @CountField('How many are in the warehouse.', 24) on_hand: number;
  @CountField('How many of them orders hold.', 4) held: number;
  @CountField('How many can be sold.', 20) for_sale: number;
}

@ApiSchema({ name: 'AdminStockOfVariation' })
class VariationStockResponse extends StockCountsResponse {
  @ApiProperty({ description: 'Its stock key; empty if the product has no variations.', example: 'Red / M' })
  variation: string;
}

/** The stock of one variation, after a change. */
@ApiSchema({ name: 'AdminVariationStock' })
export class AdminVariationStockResponse extends VariationStockResponse {
  @ApiProperty({ description: 'The product.', example: 'MUG' }) sku: string;
}

/** The sum of all variations, and each. */
@ApiSchema({ name: 'AdminProductStock' })
export class AdminProductStockResponse extends StockCountsResponse {
  @ApiProperty({ description: 'The product.', example: 'MUG' }) sku: string;
  @ApiProperty({ description: 'Its name.', example: 'Mug' }) name: string;
  @ApiProperty({ description: 'Where it lies in the warehouse, or empty.', example: 'A-12-3' }) shelf: string;
  @ApiProperty({ description: 'Whether it is for sale.', example: true }) active: boolean;
  @ApiProperty({
    description: 'Each variation; one with an empty key without.',
    type: [VariationStockResponse],
  })
  variations: VariationStockResponse[];
}

@ApiSchema({ name: 'AdminLowStock' })
export class AdminLowStockResponse extends AdminVariationStockResponse {
  @ApiProperty({ description: 'The name of the product.', example: 'Mug' }) name: string;
  @CountField('The threshold: fewer are for sale.', 5) below: number;
}

@ApiSchema({ name: 'AdminStockMovement' })
export class AdminStockMovementResponse {
  @TimeField('When it changed.', '2026-11-20T09:30:00.000Z') moved_at: string;
  @ApiProperty({ description: 'The stock key of the variation, or empty.', example: 'Red / M' })
  variation: string;

  @WholeNumberField('How many came or, below 0, left.', 24) on_hand_change: number;
  @WholeNumberField('How many orders took or, below 0, released.', 0) held_change: number;
  @CountField('On hand after it.', 24) on_hand: number;
  @CountField('Held by orders after it.', 0) held: number;
  @ApiProperty({ description: 'The reason, with the order.', example: 'goods in' }) reason: string;
  @ApiProperty({ description: 'The person, program or job.', example: 'key 3 (ERP)' }) actor: string;
}
