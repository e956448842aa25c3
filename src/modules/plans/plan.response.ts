import { ApiProperty } from '@nestjs/swagger';
import { AlwaysTrue, TimeField } from '../../platform/http/answer-fields.decorator.js';

class SubscriptionResponse {
  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  starts_at: string;

  @TimeField('The subscription ends at this moment.', '2027-01-01T00:00:00.000Z')
  ends_at: string;

  @ApiProperty({
    description: 'Whether it is active now. If not, catalog and orders answer 403.',
    example: true,
  })
  active: boolean;
}

class PlanDataResponse {
  @ApiProperty({ description: 'The code of the plan.', example: 'growth' })
  code: string;

  @ApiProperty({ description: 'The name of the plan.', example: 'Growth' })
  name: string;

  @ApiProperty({ description: 'The currency of all prices.', example: 'INR' })
  currency: string;

  @ApiProperty({
    description: 'Percent off the base price of products without a fixed price.',
    minimum: 0,
    maximum: 100,
    example: 12.5,
  })
  discount_percent: number;

  @ApiProperty({ type: SubscriptionResponse })
  subscription: SubscriptionResponse;
}

export class PlanResponse {
  @AlwaysTrue()
  success: true;

  @ApiProperty({
    description: 'Null if the client never had a subscription.',
    type: PlanDataResponse,
    nullable: true,
  })
  data: PlanDataResponse | null;
}
