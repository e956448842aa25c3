import { ApiSchema } from '@nestjs/swagger';
import { OptionalText, RequiredText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { RecordFields } from '../../../platform/validation/record-fields.decorator.js';
import { OptionalTime, RequiredTime } from '../../../platform/validation/typed-fields.decorator.js';
import { CLIENT_FIELDS, CLIENT_NAMES } from '../client-fields.js';

export const CLIENT_EXAMPLES = {
  name: 'Mango Market',
  email: 'asha@mango.example.com',
  unpaidValueLimit: '100000',
  unpaidOrdersLimit: 'default',
  timeZone: 'Asia/Kolkata',
  gstin: '29ABCDE1234F1Z5',
  billingAddress: '4, Residency Road, Bengaluru 560025',
};

@RecordFields(CLIENT_FIELDS, CLIENT_NAMES, { examples: CLIENT_EXAMPLES })
@ApiSchema({ name: 'AdminSetClient' })
export class SetClientRequest {}

@ApiSchema({ name: 'AdminSuspendClient' })
export class SuspendClientRequest {
  @OptionalText({ max: 200, description: 'The reason, for the audit log.', example: 'Invoices are overdue' })
  reason?: string;
}

@ApiSchema({ name: 'AdminSetSubscription' })
export class SetSubscriptionRequest {
  @RequiredText({ max: 50, description: 'The code of the plan.', example: 'growth' }) plan: string;
  @OptionalTime({
    description:
      "When it starts; a date is a day in the wholesaler's time zone. Now by default; a subscription to " +
      'the same plan continues.',
    example: '2026-12-01',
  })
  from?: string;

  @RequiredTime({ description: 'When it ends; a date includes that day.', example: '2027-11-30' })
  until: string;
}

export class AllowDomainQuery {
  @OptionalBooleanParameter({ description: 'Even if it is a domain of another client.', example: true })
  force?: boolean;
}
