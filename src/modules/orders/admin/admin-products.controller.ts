import { Controller, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readKeysetCursor, writeKeysetCursor } from '../../../platform/http/page-cursor.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readPeriodOf } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { RowFault } from '../../../shared/imports/import-kind.js';
import { nameParameters } from '../../../shared/imports/option-labels.js';
import {
  ProductAdministration,
  type ProductUpdateResult,
} from '../../catalog/product-administration.service.js';
import { ProductSearch } from '../../catalog/product-search.repository.js';
import { PriceFiles } from '../../plans/price-files.service.js';
import { OrderedGoods } from '../ordered-goods.repository.js';
import {
  AdminProductChangeResponse,
  AdminProductResponse,
  AdminProductRowResponse,
  ChangeProductRequest,
  numberOrNull,
  AdminProductsQuery,
  toProductAnswer,
} from './admin-product.dto.js';

const SKU = { name: 'sku', description: 'The product.', example: 'MUG' };

/** It stands here, because open orders still need a product that is taken off sale. */
@ApiTags('Products')
@Controller('api/admin/products')
export class AdminProductsController {
  constructor(
    private readonly search: ProductSearch,
    private readonly products: ProductAdministration,
    private readonly prices: PriceFiles,
    private readonly orderedGoods: OrderedGoods,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: 'staff',
    operationId: 'listProducts',
    summary: 'Lists products, the oldest first.',
    answer: { list: AdminProductRowResponse, description: 'The products.' },
  })
  async list(@ValidQuery() { search: text, after, limit = DEFAULT_LIMIT, ...filter }: AdminProductsQuery) {
    const [start] = readKeysetCursor<[number]>(after, 'number') ?? [];
    const rows = await this.search.find({ ...filter, text }, start, limit + 1);
    const toData = ({ id: _, picture: __, base_price, ...row }: (typeof rows)[number]) => ({
      ...row,
      base_price: Number(base_price),
    });
    return pageOf(rows, limit, toData, ({ id }) => writeKeysetCursor(id));
  }

  @AdminRoute({
    method: 'GET',
    path: ':sku',
    role: 'staff',
    operationId: 'getProduct',
    summary: 'Shows a product with all its values.',
    parameters: [SKU],
    answer: { data: AdminProductResponse, description: 'The product.' },
    errors: ['product_not_found'],
  })
  async show(@Param('sku') sku: string) {
    return answerWith(toProductAnswer(await this.products.show(sku)));
  }

  @AdminRoute({
    method: 'PUT',
    path: ':sku',
    role: 'staff',
    operationId: 'changeProduct',
    summary: 'Changes the given values of a product; the rest stays.',
    description: 'With `from`, a base price or a GST rate changes then.',
    parameters: [SKU],
    body: { type: ChangeProductRequest },
    answer: { data: AdminProductChangeResponse, description: 'What changed, or was scheduled.' },
    errors: ['product_not_found', 'conflict', 'import_running'],
    command: 'product set',
  })
  async change(
    @Param('sku') sku: string,
    @Actor() actor: string,
    @CheckedBody() { from, to, force, max_change: maxChange, was, ...change }: ChangeProductRequest,
  ) {
    const options = { actor, force, maxChange, formatMessage: nameParameters };
    if (from ?? to) {
      const period = readPeriodOf({ from, to }, this.settings.timeZone);
      const scheduled = await this.prices.scheduleOne(sku, change, period, options);
      const { old, new: value } = scheduled;
      const warnings = scheduled.warnings.map(ofOneRow);
      return answerWith({ ...scheduled, old: numberOrNull(old), new: numberOrNull(value), warnings });
    }
    const changed = await this.products.set(sku, change, options, was);
    return answerWith(toChangeAnswer(changed));
  }

  @AdminRoute({
    method: 'POST',
    path: ':sku/deactivate',
    role: 'staff',
    operationId: 'deactivateProduct',
    summary: 'Takes a product off sale, and lists its open orders.',
    parameters: [SKU],
    answer: { data: AdminProductChangeResponse, description: 'What changed, with the open orders.' },
    errors: ['product_not_found'],
    command: 'product deactivate',
  })
  async deactivate(@Param('sku') sku: string, @Actor() actor: string) {
    const changed = await this.products.deactivate(sku, { actor });
    const open_orders = await this.orderedGoods.openOrders(sku);
    return answerWith({ ...toChangeAnswer(changed), open_orders });
  }
}

const ofOneRow = ({ line: _, ...warning }: RowFault) => warning;

const toChangeAnswer = ({ product, changed, warnings }: ProductUpdateResult) => ({
  product: toProductAnswer(product),
  changed,
  warnings: warnings.map(ofOneRow),
});
