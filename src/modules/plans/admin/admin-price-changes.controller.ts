import { Controller } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { CurrentKey, type RequestKey } from '../../../platform/access/admin-key.js';
import { requireOfKey } from '../../../platform/access/key-permissions.js';
import {
  AdminRoute,
  answerWith,
  DEFAULT_LIMIT,
  PageQuery,
  pageOf,
} from '../../../platform/http/admin-route.js';
import {
  AmountOrNull,
  CountField,
  TextOrNull,
  TimeField,
  TimeOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { NumberParam, readKeysetCursor, writeKeysetCursor } from '../../../platform/http/page-cursor.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { PriceSchedules } from '../price-schedules.service.js';

class PriceChangesQuery extends PageQuery {
  @OptionalBooleanParameter({
    description: 'Also changes that have ended or were withdrawn; the newest come first then.',
    example: true,
  })
  past?: boolean;
}

class PriceScheduleResponse {
  @CountField('The number of the scheduled change.', 7) change: number;
  @CountField('How many prices it has.', 40) prices: number;
  @TimeField('When the prices begin.', '2026-12-01T00:00:00.000Z') from: string;
  @TimeOrNull('When the earlier prices return; null: never.', null) to: string | null;
}

@ApiSchema({ name: 'AdminPriceChange' })
class AdminPriceChangeResponse extends PriceScheduleResponse {
  @ApiProperty({
    description: 'What changes; null if its plan was deleted.',
    type: String,
    nullable: true,
    example: 'fixed prices',
  })
  what: string | null;
  @ApiProperty({
    description: 'Its state.',
    enum: ['waiting', 'beginning', 'running', 'applied', 'ended', 'missed', 'withdrawn'],
  })
  state: string;

  @CountField('Prices that stayed at the end, because a person had changed them.', 0) kept: number;
  @ApiProperty({ description: 'The person or program that scheduled it.', example: 'key 3 (ERP)' })
  by: string;

  @TimeField('When it was scheduled.', '2026-11-20T09:30:00.000Z') scheduled_at: string;
}

@ApiSchema({ name: 'AdminWithdrawnPriceChange' })
class AdminWithdrawnResponse extends PriceScheduleResponse {
  @ApiProperty({ description: 'Whether it had started: then it ends now.', example: false })
  had_begun: boolean;
}

@ApiSchema({ name: 'AdminScheduledPrice' })
class AdminScheduledPriceResponse {
  @TextOrNull('The code of the plan; null for a base price or a GST rate.', 'growth') plan: string | null;
  @TextOrNull('The product; null for the discount of a plan.', 'MUG') sku: string | null;
  @AmountOrNull('The value before; null for no fixed price.', 249.5) old: number | null;
  @AmountOrNull('The new value; null for no fixed price.', 230) new: number | null;
  @ApiProperty({
    description: 'Its state.',
    enum: ['waiting', 'applied', 'returned', 'kept', 'missed', 'withdrawn'],
  })
  state: string;
}

const ChangeParam = () => NumberParam('id', 'scheduled_change_not_found', 'scheduled change');

const ID = { name: 'id', description: 'The number of the scheduled change.', example: 7 };

/** Prices, discounts and GST rates that begin later. */
@ApiTags('Plans and prices')
@Controller('api/admin/price-changes')
export class AdminPriceChangesController {
  constructor(private readonly schedules: PriceSchedules) {}

  @AdminRoute({
    method: 'GET',
    role: 'staff',
    operationId: 'listPriceChanges',
    summary: 'Lists the scheduled changes of prices, discounts and GST rates, the next one first.',
    answer: { list: AdminPriceChangeResponse, description: 'The changes.' },
    command: 'price upcoming',
  })
  async list(@ValidQuery() { past = false, after, limit = DEFAULT_LIMIT }: PriceChangesQuery) {
    const [start] = readKeysetCursor<[number]>(after, 'number') ?? [];
    const rows = await this.schedules.page(past, start, limit + 1, 'code');
    return pageOf(
      rows,
      limit,
      (row) => row,
      ({ change }) => writeKeysetCursor(change),
    );
  }

  @AdminRoute({
    method: 'GET',
    path: ':id/prices',
    role: 'staff',
    operationId: 'listPricesOfChange',
    summary: 'Lists the prices of a scheduled change.',
    parameters: [ID],
    answer: { list: AdminScheduledPriceResponse, description: 'The prices.' },
    errors: ['scheduled_change_not_found'],
    command: 'price show',
  })
  async prices(@ChangeParam() id: number, @ValidQuery() { after, limit = DEFAULT_LIMIT }: PageQuery) {
    const [start] = readKeysetCursor<[number]>(after, 'number') ?? [];
    const { change } = await this.schedules.show(id);
    const rows = await this.schedules.pricePage(change, start, limit + 1, 'code');
    const toData = ({ number: _, isRate: __, ...price }: (typeof rows)[number]) => price;
    return pageOf(rows, limit, toData, ({ number }) => writeKeysetCursor(number));
  }

  @AdminRoute({
    method: 'DELETE',
    path: ':id',
    role: 'staff',
    operationId: 'withdrawPriceChange',
    summary: 'Withdraws a scheduled change. A running change ends now.',
    parameters: [ID],
    answer: { data: AdminWithdrawnResponse, description: 'The change.' },
    errors: ['scheduled_change_not_found', 'conflict'],
    command: 'price withdraw',
  })
  async withdraw(@ChangeParam() id: number, @CurrentKey() key: RequestKey) {
    const { change, isDiscount } = await this.schedules.show(id);
    if (isDiscount) requireOfKey(key, 'manage plans', 'A discount');
    return answerWith(await this.schedules.withdraw(change, key.actor));
  }
}
