import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AmountField, CountField, TimeField } from '../../../platform/http/answer-fields.decorator.js';
import { ClientTermsResponse, SubscriptionResponse } from '../../clients/admin/admin-client.response.js';

@ApiSchema({ name: 'AdminClient' })
export class ClientAccountResponse extends ClientTermsResponse {
  @TimeField('When it was added.', '2026-11-20T09:30:00.000Z') created_at: Date;
  @ApiProperty({
    description: 'The domains of its valid tokens.',
    type: [String],
    example: ['mango.example.com'],
  })
  domains: string[];

  @ApiProperty({
    description: 'The active subscription, else the next, else the last one.',
    type: SubscriptionResponse,
    nullable: true,
  })
  subscription: SubscriptionResponse | null;

  @CountField('How many orders are unpaid.', 2) unpaid_orders: number;
  @AmountField('The balance of its wallet.', 5_000) balance: number;
  @AmountField('The total of its unpaid orders.', 1_299) unpaid_total: number;
}

@ApiSchema({ name: 'AdminClientDetails' })
export class ClientDetailsResponse extends ClientAccountResponse {
  @ApiProperty({ description: 'Its future subscriptions, the next one first.', type: [SubscriptionResponse] })
  upcoming: SubscriptionResponse[];

  @ApiProperty({
    description: 'Its owners may make tokens for these domains.',
    type: [String],
    example: ['mango.example.com'],
  })
  allowed_domains: string[];
}
