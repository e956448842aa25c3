import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { OrderStatusResponse } from './order-status.response.js';

@ApiSchema({ name: 'OrderStatuses' })
export class OrderStatusesResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({
    description: 'In the order in which they were asked for, each order once.',
    type: [OrderStatusResponse],
  })
  data: OrderStatusResponse[];

  @ApiProperty({
    description: 'Those of the numbers under which you have no order.',
    type: [String],
    example: [],
  })
  unknown: string[];
}
