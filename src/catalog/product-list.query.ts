import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { readCursor } from '../product-list/page-cursor.js';
import { Since } from '../product-list/since.decorator.js';
import { Optional } from '../validation/absent.js';
import { Fault } from '../validation/fault-decorator.js';
import { OptionalText } from '../validation/text.decorator.js';

const LARGEST_PAGE = 1_000;

/** A numeral and nothing else; what is none stays as it is, to be refused. */
const digitsToNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

const textToBoolean = Transform(({ value }: { value: unknown }) =>
  value === 'true' ? true : value === 'false' ? false : value,
);

export class ProductListQuery {
  @Optional()
  @digitsToNumber
  @Fault('wrong_type', 'must be a whole number', Number.isInteger)
  @Fault('too_small', 'must be at least 1', (value) => (value as number) >= 1)
  @Fault('too_large', `must be at most ${LARGEST_PAGE}`, (value) => (value as number) <= LARGEST_PAGE)
  @ApiPropertyOptional({
    description: 'How many products a page has at most. Without it you get all of them.',
    type: 'integer',
    minimum: 1,
    maximum: LARGEST_PAGE,
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
    example: 'AAAAZGCqEBA',
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

  @Optional()
  @textToBoolean
  @Fault('wrong_type', 'must be true or false', (value) => typeof value === 'boolean')
  @ApiPropertyOptional({
    description: 'Only products that can be sold now, or only those that cannot.',
    type: Boolean,
    example: true,
  })
  in_stock?: boolean;

  @Since('limit', 'cursor', 'category', 'search', 'in_stock')
  since?: string;
}
