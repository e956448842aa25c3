import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, WantedType } from '../../../platform/http/admin-route.js';
import {
  AmountField,
  CountField,
  TextField,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import { CSV } from '../../../platform/http/file-response.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { OptionalChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { rowsResponse } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { OrderFilterQuery, toOrderFilter } from '../../orders/admin/order-lists.dto.js';
import { TOTALS_COLUMNS, TOTALS_PERIODS, type TotalsPeriod } from '../sales.repository.js';
import { SalesService } from '../sales.service.js';

class OrderTotalsQuery extends OrderFilterQuery {
  @OptionalChoice(TOTALS_PERIODS, { description: 'The period of one sum; a month by default.' })
  by?: TotalsPeriod;
}

@ApiSchema({ name: 'OrderTotal' })
class OrderTotalResponse {
  @TextField('The day, month or year.', '2026-11') period: string;
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The name of the client.', 'Mango Market') client: string;
  @TextField('The currency of the amounts.', 'INR') currency: string;
  @CountField('Placed orders.', 12) orders: number;
  @CountField('Cancelled ones among them.', 1) cancelled: number;
  @AmountField('The price of the goods.', 6_360) goods: number;
  @AmountField('The delivery charges.', 540) delivery: number;
  @AmountField('Goods and delivery together.', 6_900) total: number;
  @AmountField('What was paid of it.', 6_741) paid: number;
  @AmountField('What was refunded in the period.', 159) refunded: number;
}

/** The sums of orders. The module of sales is above that of orders. */
@ApiTags('Orders')
@Controller('api/admin/orders')
export class AdminOrderTotalsController {
  constructor(
    private readonly sales: SalesService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    path: 'totals',
    role: roleWith('see sales and problems'),
    operationId: 'sumOrders',
    summary: 'Adds up the orders of each client, by when they were placed.',
    answer: { rows: OrderTotalResponse, files: [CSV] },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'order totals',
  })
  async totals(
    @ValidQuery() { by = 'month', ...query }: OrderTotalsQuery,
    @WantedType([CSV]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    const clientId = await this.clients.findForFilter(query.client);
    const filter = toOrderFilter(query as OrderFilterQuery, clientId, this.settings.timeZone);
    const rows = await this.sales.totals(filter, by);
    return rowsResponse(owner, type, { name: `orders-by-${by}`, columns: TOTALS_COLUMNS, rows });
  }
}
