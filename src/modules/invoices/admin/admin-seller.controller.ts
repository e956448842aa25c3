import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, answerWith, CheckedBody } from '../../../platform/http/admin-route.js';
import { SellersService } from '../sellers.service.js';
import { ChangeSellerRequest, SellerOverviewResponse, SellerResponse } from './seller.dto.js';

const yesOrNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'yes' : 'no');

/** The seller on the invoices: the wholesaler. */
@ApiTags('Documents')
@Controller('api/admin/seller')
export class AdminSellerController {
  constructor(private readonly sellers: SellersService) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('settings/seller'),
    operationId: 'getSeller',
    summary: 'Shows the seller, and how much tax data is missing.',
    answer: { data: SellerOverviewResponse },
    errors: ['conflict'],
    command: 'seller show',
  })
  async show() {
    return answerWith(await this.sellers.show());
  }

  @AdminRoute({
    method: 'PUT',
    role: roleToOpen('settings/seller'),
    operationId: 'setSeller',
    summary: 'Sets the given values of the seller.',
    description: 'From the first time on, shipments get invoices. What you leave out stays.',
    body: { type: ChangeSellerRequest },
    answer: { data: SellerResponse, description: 'The registration that was set.' },
    errors: ['conflict'],
    command: 'seller set',
  })
  async set(
    @Actor() by: string,
    @CheckedBody() { receipt_vouchers, mistyped, ...texts }: ChangeSellerRequest,
  ) {
    const flags = { receiptVouchers: yesOrNo(receipt_vouchers), mistyped: yesOrNo(mistyped) };
    return answerWith(await this.sellers.set({ ...texts, ...flags }, by));
  }
}
