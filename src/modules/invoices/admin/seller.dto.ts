import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  CountField,
  FlagField,
  TextField,
  TimeField,
} from '../../../platform/http/answer-fields.decorator.js';
import { OptionalFlag } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalRead } from '../../../platform/validation/typed-fields.decorator.js';
import { SELLER_FIELDS } from '../seller-fields.js';

/** A field of the seller, as its form has it. */
const SellerField = (
  name: 'name' | 'gstin' | 'address' | 'state' | 'from',
  description: string,
  example: string,
) => OptionalRead({ read: SELLER_FIELDS[name].read, description, example });

@ApiSchema({ name: 'ChangeSeller' })
export class ChangeSellerRequest {
  @SellerField('name', 'The legal name.', 'Sharma Wholesale') name?: string;
  @SellerField('gstin', 'The GSTIN. It also sets the state.', '27AAPFU0939F1ZV') gstin?: string;
  @SellerField('address', 'The address.', '1 MG Road, Pune 411001') address?: string;
  @SellerField('state', 'A name or code that matches the GSTIN; from the GSTIN by default.', 'Maharashtra')
  state?: string;

  @OptionalFlag('Whether each top-up gets a receipt voucher.') receipt_vouchers?: boolean;
  @SellerField('from', 'For another GSTIN after the first invoice: the first day of a month.', '2026-12-01')
  from?: string;

  @OptionalFlag('The old GSTIN was mistyped: corrects it in all documents to come.') mistyped?: boolean;
}

@ApiSchema({ name: 'Seller' })
export class SellerResponse {
  @TextField('The legal name.', 'Sharma Wholesale') name: string;
  @TextField('The GSTIN.', '27AAPFU0939F1ZV') gstin: string;
  @TextField('The address.', '1 MG Road, Pune 411001') address: string;
  @TextField('The code of the state.', '27') state: string;
  @FlagField('Whether each top-up gets a receipt voucher.', false) receipt_vouchers: boolean;
  @ApiProperty({ description: 'The first day of this registration.', format: 'date', example: '2017-07-01' })
  since: string;
}

@ApiSchema({ name: 'CurrentSeller' })
class CurrentSellerResponse extends SellerResponse {
  @TimeField('When it was changed.', '2026-11-20T09:30:00.000Z') changed_at: string;
}

@ApiSchema({ name: 'SellerOverview' })
export class SellerOverviewResponse {
  @ApiProperty({
    description: 'The present seller; null if there are no invoices.',
    type: CurrentSellerResponse,
    nullable: true,
  })
  seller: CurrentSellerResponse | null;

  @ApiProperty({ description: 'The registration to come.', type: SellerResponse, nullable: true })
  coming: SellerResponse | null;

  @CountField('Active products whose parcels are refused: no rate, or no long enough HSN code.', 0)
  products_without_tax_data: number;

  @CountField('Clients whose parcels are refused: no state or no billing address.', 0)
  clients_without_tax_data: number;
}
