import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
  PageQuery,
} from '../../../platform/http/admin-route.js';
import { NumberParam, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { requireOrderNumber } from '../../orders/records/order-desk.service.js';
import { PackingService } from '../packing/packing.service.js';
import {
  MakePackingListRequest,
  PackingListDetailsResponse,
  PackingListDroppedResponse,
  PackingListMadeResponse,
  PackingListResponse,
} from './admin-packing.dto.js';

const NUMBER = { name: 'number', description: 'The number of the list.', example: 12 };

/** Lists of paid orders to pack; an order is on one list at a time. */
@ApiTags('Packing lists')
@Controller('api/admin/packing-lists')
export class AdminPackingController {
  constructor(
    private readonly packing: PackingService,
    private readonly clients: ClientFinderService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('pack orders'),
    operationId: 'listPackingLists',
    summary: 'Lists the packing lists, the newest first.',
    answer: { list: PackingListResponse },
    command: 'packing list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT }: PageQuery) {
    const lists = await this.packing.newest(readNumberCursor(after), limit + 1);
    return pageOf(
      lists,
      limit,
      (list) => list,
      ({ packing_list: number }) => String(number),
    );
  }

  @AdminRoute({
    method: 'POST',
    role: roleWith('pack orders'),
    operationId: 'makePackingList',
    summary: 'Puts the paid orders that are on no list on a new one, the oldest payment first.',
    body: { type: MakePackingListRequest },
    isOnce: true,
    answer: { data: PackingListMadeResponse, status: 201, description: 'The number of the list.' },
    errors: ['client_not_found', 'client_ambiguous', 'order_not_found'],
    command: 'packing new',
  })
  async make(@Actor() by: string, @CheckedBody() { client, orders, limit }: MakePackingListRequest) {
    const clientId = await this.clients.findForFilter(client);
    const numbers = orders?.map(requireOrderNumber);
    const made = await this.packing.make(by, { clientId, limit, numbers });
    return answerWith({ packing_list: made?.id ?? null, orders: made?.orders ?? 0 });
  }

  @AdminRoute({
    method: 'GET',
    path: ':number',
    role: roleWith('pack orders'),
    operationId: 'getPackingList',
    summary: 'Shows a packing list with its orders.',
    parameters: [NUMBER],
    answer: { data: PackingListDetailsResponse },
    errors: ['packing_list_not_found'],
    command: 'packing show',
  })
  async show(@NumberParam('number', 'packing_list_not_found', 'packing list') number: number) {
    const list = await this.packing.find(number);
    return answerWith({ ...list, rows: await this.packing.ordersOf(number) });
  }

  @AdminRoute({
    method: 'DELETE',
    path: ':number',
    role: roleWith('pack orders'),
    operationId: 'dropPackingList',
    summary: 'Frees the unshipped orders of a list, so that a new list takes them.',
    parameters: [NUMBER],
    answer: { data: PackingListDroppedResponse },
    errors: ['packing_list_not_found', 'conflict'],
    command: 'packing drop',
  })
  async drop(
    @NumberParam('number', 'packing_list_not_found', 'packing list') number: number,
    @Actor() by: string,
  ) {
    return answerWith(await this.packing.drop(number, by));
  }
}
