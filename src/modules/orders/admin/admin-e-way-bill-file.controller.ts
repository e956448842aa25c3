import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute } from '../../../platform/http/admin-route.js';
import { AmountField, TextField } from '../../../platform/http/answer-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import {
  PortalFileQuery,
  portalFileResponse,
  PortalFileResponse,
} from '../../invoices/admin/portal-file.response.js';
import { EWayBillsService } from '../../invoices/e-way-bills.service.js';
import { OrderDeskService } from '../records/order-desk.service.js';

@ApiSchema({ name: 'OrderBeforeEWayBill' })
class OrderBeforeEWayBillResponse {
  @TextField('The number of the order.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @TextField('The state where the goods go.', 'Karnataka') state: string;
  @AmountField('The value of the goods that are still to ship.', 64_000) value: number;
}

@ApiSchema({ name: 'EWayBillsFile' })
class EWayBillsFileResponse extends PortalFileResponse {
  @ApiProperty({
    description: 'The orders to ship that will need an e-way bill before their goods move.',
    type: [OrderBeforeEWayBillResponse],
  })
  to_ship: OrderBeforeEWayBillResponse[];

  @ApiProperty({
    description: 'The file that the bulk tool of the portal takes.',
    type: 'object',
    additionalProperties: true,
    example: { version: '1.0.0621', billLists: [] },
  })
  file: object;
}

/** It stands here, because only the orders know which goods are still to ship. */
@ApiTags('Documents')
@Controller('api/admin/exports/e-way-bills')
export class AdminEWayBillFileController {
  constructor(
    private readonly eWayBills: EWayBillsService,
    private readonly orders: OrderDeskService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('e-way-bills/file.json'),
    operationId: 'exportEWayBills',
    summary: 'Has the invoices that wait for their e-way bill, as the JSON file of the bulk tool.',
    answer: { data: EWayBillsFileResponse, description: 'The file, and what it lacks.' },
    errors: ['conflict'],
    command: 'invoice e-way-bills',
  })
  async file(
    @ValidQuery() { gstin }: PortalFileQuery,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const to_ship = await this.orders.dueForEWayBills();
    return portalFileResponse(owner, (leaveOut) => this.eWayBills.file(gstin, leaveOut), { to_ship });
  }
}
