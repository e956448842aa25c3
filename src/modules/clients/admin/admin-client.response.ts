import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  AmountOrNull,
  FlagField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';

/** What people set of a client. */
@ApiSchema({ name: 'AdminClientTerms' })
export class ClientTermsResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('Its name.', 'Mango Market') name: string;
  @TextField('The e-mail address of its owner.', 'asha@mango.example.com') email: string;
  @TimeOrNull('When it was suspended: its tokens are refused since then.', null) suspended_at: Date | null;
  @AmountOrNull('The limit of unpaid value; null: as in the settings; 0: none.', 100_000)
  unpaid_value_limit: number | null;
  @WholeNumberOrNull('The limit of unpaid orders, with the same meaning of null and 0.', null)
  unpaid_orders_limit: number | null;
  @TextOrNull('Its time zone; null: as in the settings.', 'Asia/Kolkata') time_zone: string | null;
  @TextOrNull('Its GSTIN.', '29ABCDE1234F1Z5') gstin: string | null;
  @TextOrNull('Its GST category: sez, government or uin; null: ordinary.', null) gst_category: string | null;
  @TextOrNull('The GST code of its state.', '29') state: string | null;
  @TextOrNull('Its billing address.', '4, Residency Road, Bengaluru 560025') billing_address: string | null;
}

@ApiSchema({ name: 'AdminSubscription' })
export class SubscriptionResponse {
  @TextField('The code of the plan.', 'growth') plan: string;
  @TextField('The name of the plan.', 'Growth') plan_name: string;
  @TimeField('When it starts.', '2026-12-01T00:00:00.000Z') from: string;
  @TextField("Its last day in the wholesaler's time zone, or its end as a time.", '2027-11-30') until: string;
  @FlagField('Whether it runs now.', true) active: boolean;
}

@ApiSchema({ name: 'AdminSubscriptionSet' })
export class SubscriptionSetResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The code of the plan.', 'growth') plan: string;
  @TimeField('When it starts.', '2026-12-01T00:00:00.000Z') from: string;
  @TextField("Its last day in the wholesaler's time zone, or its end as a time.", '2027-11-30') until: string;
}

@ApiSchema({ name: 'AdminSubscriptionEnded' })
export class SubscriptionEndedResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TimeField('When it ended.', '2026-12-01T09:30:00.000Z') ended_at: Date;
}

@ApiSchema({ name: 'AdminDomain' })
export class DomainResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The domain, normalised.', 'mango.example.com') domain: string;
}

@ApiSchema({ name: 'AdminDomainDisallowed' })
export class DomainDisallowedResponse extends DomainResponse {
  @ApiProperty({
    description: 'Its tokens for the domain. They stay valid until they are revoked.',
    type: [Number],
    example: [12],
  })
  token_ids: number[];
}
