import { Controller, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, CurrentKey, type RequestKey } from '../../../platform/access/admin-key.js';
import { may } from '../../../platform/access/signed-in-person.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readKeysetCursor, writeKeysetCursor } from '../../../platform/http/page-cursor.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { StockAdministration } from '../../stock/stock-administration.service.js';
import { OrderedGoods } from '../ordered-goods.repository.js';
import {
  AdminLowStockResponse,
  AdminProductStockResponse,
  AdminStockMovementResponse,
  AdminVariationStockResponse,
  CountStockRequest,
  LowStockQuery,
  MoveStockRequest,
  StockMovementsQuery,
} from './admin-stock.dto.js';

const SKU = { name: 'sku', description: 'The product.', example: 'MUG' };

/** It stands here, because only the orders know why goods were held and shipped. */
@ApiTags('Stock')
@Controller('api/admin/stock')
export class AdminStockController {
  constructor(
    private readonly stock: StockAdministration,
    private readonly orderedGoods: OrderedGoods,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: 'staff',
    operationId: 'listLowStock',
    summary: 'Lists active products that are running out: fewer for sale than their threshold.',
    answer: { list: AdminLowStockResponse, description: 'The fewest for sale come first.' },
    command: 'stock low',
  })
  async low(@ValidQuery() { below, after, limit = DEFAULT_LIMIT }: LowStockQuery) {
    const read = readKeysetCursor<[number, string, number]>(after, 'number', 'text', 'number');
    const mark = read && { for_sale: read[0], sku: read[1], id: read[2] };
    const rows = await this.stock.lowPage(below, mark, limit + 1);
    const toData = ({ id: _, ...row }: (typeof rows)[number]) => row;
    return pageOf(rows, limit, toData, ({ for_sale, sku, id }) => writeKeysetCursor(for_sale, sku, id));
  }

  @AdminRoute({
    method: 'GET',
    path: ':sku',
    role: 'packer',
    operationId: 'getStock',
    summary: 'Shows the stock of a product, and how much of it orders hold.',
    parameters: [SKU],
    answer: { data: AdminProductStockResponse, description: 'The stock.' },
    errors: ['product_not_found'],
    command: 'stock show',
  })
  async show(@Param('sku') sku: string) {
    return answerWith(await this.stock.show(sku));
  }

  @AdminRoute({
    method: 'PUT',
    path: ':sku',
    role: 'packer',
    operationId: 'countStock',
    summary: 'Sets the counted number of one product or variation. Held goods stay held.',
    parameters: [SKU],
    body: { type: CountStockRequest },
    answer: { data: AdminVariationStockResponse, description: 'The stock after it.' },
    errors: ['product_not_found', 'conflict'],
    command: 'stock count',
    commandArguments: ['variation', 'quantity'],
  })
  async count(@Param('sku') sku: string, @Actor() actor: string, @CheckedBody() counted: CountStockRequest) {
    return answerWith(await this.stock.count({ ...counted, sku, actor }));
  }

  @AdminRoute({
    method: 'POST',
    path: ':sku/movements',
    role: 'packer',
    operationId: 'moveStock',
    summary: 'Adds goods to the stock or, below 0, removes goods: breakage, a correction.',
    parameters: [SKU],
    body: { type: MoveStockRequest },
    isOnce: true,
    answer: { data: AdminVariationStockResponse, description: 'The stock after it.' },
    errors: ['product_not_found', 'conflict'],
    command: 'stock receive',
    commandArguments: ['variation', 'quantity'],
  })
  async receive(
    @Param('sku') sku: string,
    @Actor() actor: string,
    @CheckedBody() received: MoveStockRequest,
  ) {
    return answerWith(await this.stock.receive({ ...received, sku, actor }));
  }

  @AdminRoute({
    method: 'GET',
    path: ':sku/movements',
    role: 'packer',
    operationId: 'listStockMovements',
    summary: 'Lists all changes of the stock of a product, the newest first.',
    description: 'A key of a packer gets only what came, left or was counted, as a packer at the desk.',
    parameters: [SKU],
    answer: { list: AdminStockMovementResponse, description: 'The changes.' },
    errors: ['product_not_found'],
    command: 'stock history',
    commandArguments: ['variation'],
  })
  async movements(
    @Param('sku') sku: string,
    @CurrentKey() { role }: RequestKey,
    @ValidQuery() { after, limit = DEFAULT_LIMIT, from, ...query }: StockMovementsQuery,
  ) {
    const filter = { ...query, since: readStart(from, this.settings.timeZone) };
    const onlyOnHand = !may({ clientId: null, role }, 'see all orders');
    const read = readKeysetCursor<[string, number, string]>(after, 'time', 'number', 'text');
    const start = read && { mark: read[0], turn: read[1], tie: read[2] };
    const rows = await this.orderedGoods.stockHistoryPage(sku, { ...filter, onlyOnHand }, start, limit + 1);
    const toData = ({ mark: _, turn: __, tie: ___, ...event }: (typeof rows)[number]) => event;
    return pageOf(rows, limit, toData, ({ mark, turn, tie }) => writeKeysetCursor(mark, turn, tie));
  }
}
