import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AlwaysTrue, CountField } from '../../platform/http/answer-fields.decorator.js';
import { ValidateIf } from 'class-validator';
import { IgnoredParametersField } from '../../platform/validation/ignored-parameters.js';
import { ListParameter } from '../../platform/validation/query-parameters.decorator.js';
import type { SentList } from '../../platform/validation/read-query.js';
import { StockRecordResponse } from '../catalog/catalog.dto.js';
import { Since } from '../../read-model/synced-lists/sync-token.js';

export class StockResponse extends StockRecordResponse {
  @AlwaysTrue()
  success: true;
}

/** What a read of the one product would answer. */
class StockHintResponse {
  @ApiProperty({ description: 'The SKU, as in `unknown`.', example: 'mug-350' })
  sku: string;

  @ApiPropertyOptional({
    description: 'A SKU that differs only in case, spaces, dashes or leading zeros.',
    example: 'MUG-350',
  })
  suggestion?: string;

  @ApiPropertyOptional({
    description: 'Always true: the product exists but is inactive.',
    enum: [true],
    type: Boolean,
  })
  inactive?: true;
}

export class StockListResponse {
  @AlwaysTrue()
  success: true;

  @CountField('How many products are in `data`.', 1)
  total: number;

  @ApiProperty({ description: 'The stock records, in no promised order.', type: [StockRecordResponse] })
  data: StockRecordResponse[];

  @ApiProperty({
    description: 'The SKUs of `skus` that no active product has.',
    type: [String],
    example: [],
  })
  unknown: string[];

  @ApiPropertyOptional({
    description: 'What is known about SKUs of `unknown`. Only if there is something.',
    type: [StockHintResponse],
  })
  hints?: StockHintResponse[];

  @ApiPropertyOptional({
    description: 'With `since`: SKUs that are no longer sold. The list may name some that you never had.',
    type: [String],
    example: [],
  })
  removed?: string[];

  @ApiProperty({
    description: 'The `since` of your next call.',
    example: 'A6cf3k0TbAAAAAAAAAAAAyEAAAAAAyDJ7vRexKvRoQVeK2c',
  })
  sync_token: string;

  @IgnoredParametersField()
  ignored_parameters?: string[];
}

export class StockListQuery {
  /** An empty value names no product. It does not stand for all products. */
  @ValidateIf((_, value) => value !== undefined)
  @ListParameter({
    of: 'SKUs',
    max: 500,
    description: 'Only these products.',
    example: ['TSHIRT-CLASSIC', 'MUG-350'],
    required: false,
  })
  skus?: SentList;

  @Since('skus')
  since?: string;
}
