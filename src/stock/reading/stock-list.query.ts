import { ValidateIf } from 'class-validator';
import { Since } from '../../read-model/lists/since.decorator.js';
import { ListParameter } from '../../platform/validation/query-parameters.decorator.js';

export class StockListQuery {
  /** Given but empty, it names no product; it does not stand for all of them. */
  @ValidateIf((_, value) => value !== undefined)
  @ListParameter({
    of: 'SKUs',
    most: 500,
    description: 'Only these products.',
    example: ['TSHIRT-CLASSIC', 'MUG-350'],
    required: false,
  })
  skus?: string | string[];

  @Since('skus')
  since?: string;
}
