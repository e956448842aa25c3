import { ApiPropertyOptional } from '@nestjs/swagger';
import { readCursor } from '../../read-model/lists/page-cursor.js';
import { Since } from '../../read-model/lists/since.decorator.js';
import { Fault, Optional } from '../../platform/validation/fault-decorator.js';
import {
  OptionalBooleanParameter,
  OptionalNumberParameter,
} from '../../platform/validation/query-parameters.decorator.js';
import { OptionalText } from '../../platform/validation/body-fields.decorator.js';

export class ProductListQuery {
  @OptionalNumberParameter({
    min: 1,
    max: 1_000,
    description: 'How many products a page has at most. Without it you get all of them.',
    example: 100,
  })
  limit?: number;

  @Optional()
  @Fault(
    'malformed',
    'is not a cursor',
    (value) => typeof value === 'string' && readCursor(value) !== undefined,
  )
  @ApiPropertyOptional({
    description: 'The `next_cursor` of the page before.',
    type: String,
    example: 'AAAAAS8ucd0',
  })
  cursor?: string;

  @OptionalText({
    max: 200,
    description: 'Only products of this category, whatever its case.',
    example: 'Apparel',
  })
  category?: string;

  @OptionalText({
    max: 200,
    description: 'Only products whose SKU or name contains this text, whatever its case.',
    example: 'shirt',
  })
  search?: string;

  @OptionalBooleanParameter({
    description: 'Only products that can be sold now, or only those that cannot.',
    example: true,
  })
  in_stock?: boolean;

  @Since('limit', 'cursor', 'category', 'search', 'in_stock')
  since?: string;
}
