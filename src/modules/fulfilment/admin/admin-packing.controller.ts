import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
  PageQuery,
  WantedType,
} from '../../../platform/http/admin-route.js';
import { CSV, fileResponse, PDF } from '../../../platform/http/file-response.js';
import { NumberParam, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { OrderDeskService, requireOrderNumber } from '../../orders/records/order-desk.service.js';
import { PackingService } from '../packing/packing.service.js';
import {
  MakePackingListRequest,
  PackingListDetailsResponse,
  PackingListDroppedResponse,
  PackingListQuery,
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
    private readonly orders: OrderDeskService,
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
    summary: 'Shows a packing list with its orders, or its files to print.',
    description:
      'As `text/csv` it has a row for each line that is still to ship, with the shelf; ' +
      'as `application/pdf` the slips of the orders, which count as printed then.',
    parameters: [NUMBER],
    answer: { data: PackingListDetailsResponse, files: [CSV, PDF], description: 'The list.' },
    errors: ['packing_list_not_found', 'order_not_found', 'order_ambiguous', 'client_ambiguous', 'conflict'],
    command: 'packing show',
  })
  async show(
    @NumberParam('number', 'packing_list_not_found', 'packing list') number: number,
    @ValidQuery() { order: typed, layout, excel }: PackingListQuery,
    @WantedType([CSV, PDF]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<object | StreamableFile> {
    const list = await this.packing.find(number);
    const order = typed === undefined ? undefined : await this.orders.numberOf(typed);
    const name = `packing-list-${number}`;
    if (type === PDF) {
      const { content } = await this.packing.printSlips(list, owner, layout, order);
      return fileResponse(owner, `${name}.pdf`, PDF, content);
    }
    if (type === CSV) {
      const { columns, rows } = this.packing.exportList(number, order);
      return exportResponse({ owner, isJson: false, excel }, name, columns, rows);
    }
    const orders = await this.packing.ordersOf(number);
    const rows = orders.filter((one) => order === undefined || one.order_number === order);
    return answerWith({ ...list, rows });
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
