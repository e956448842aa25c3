import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'OrderCreated' })
export class OrderCreatedResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({
    description: 'The number of the order, made to be read aloud.',
    example: 'WO-20261120-7K3M9-QXA2B',
  })
  order_number: string;

  @ApiProperty({
    description: "The store's own order id, if one was sent.",
    type: String,
    nullable: true,
    example: 'WEB-1001',
  })
  store_order_id: string | null;

  @ApiProperty({ description: 'Sum of wholesale price × quantity.', example: 318 })
  subtotal: number;

  @ApiProperty({ description: 'The delivery charge.', example: 45 })
  delivery: number;

  @ApiProperty({ description: 'subtotal + delivery.', example: 363 })
  total: number;

  @ApiProperty({ description: 'The currency of all amounts.', example: 'INR' })
  currency: string;

  @ApiProperty({ description: 'The number of lines as sent.', type: 'integer', example: 1 })
  items_count: number;

  @ApiProperty({
    description: 'Always `awaiting_payment` here.',
    enum: ['awaiting_payment'],
    example: 'awaiting_payment',
  })
  status: string;

  @ApiProperty({
    description: 'What happens next, for people.',
    example: 'Order received. Pay for it in the dashboard to have it shipped.',
  })
  message: string;

  @ApiProperty({
    description:
      'Until when the order waits for payment. After that it is cancelled and its stock goes back.',
    format: 'date-time',
    example: '2026-11-23T09:30:00.000Z',
  })
  payment_due_at: string;
}
