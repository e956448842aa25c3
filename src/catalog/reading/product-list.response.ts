import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProductItemResponse } from './product.response.js';

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
