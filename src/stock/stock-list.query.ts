import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { Since } from '../product-list/since.decorator.js';
import { Fault } from '../validation/fault-decorator.js';

const MOST_SKUS = 500;

/** Given but empty, it names no product; it does not stand for all of them. */
function NamedSkus(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    Fault('wrong_type', 'must be a list of SKUs', (value) =>
      [value].flat().every((sku) => typeof sku === 'string'),
    ),
    Fault(
      'too_many',
      `must name at most ${MOST_SKUS} SKUs`,
      (value) => skusIn(value as string | string[]) <= MOST_SKUS,
    ),
    ApiPropertyOptional({
      description: `Only these products: SKUs separated by commas, or the parameter repeated. A value that is itself a SKU, or one of several values, is taken whole, so that a SKU may hold a comma. At most ${MOST_SKUS}.`,
      type: String,
      example: 'TSHIRT-CLASSIC,MUG-350',
    }),
  );
}

export class StockListQuery {
  @NamedSkus()
  skus?: string | string[];

  @Since('skus')
  since?: string;
}

function skusIn(value: string | string[]): number {
  return typeof value === 'string' ? value.split(',').length : value.length;
}
