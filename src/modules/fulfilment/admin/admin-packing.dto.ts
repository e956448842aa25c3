import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  CountField,
  FlagField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { OptionalText, OptionalWholeNumber } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalChoice, OptionalTexts } from '../../../platform/validation/typed-fields.decorator.js';
import { ForExcel } from '../../../shared/imports/admin/export-route.js';
import { LAYOUT_NAMES, type LayoutName } from '../../../shared/pdf/layouts.js';
import { OptionalClient } from '../../clients/admin/client-param.js';

@ApiSchema({ name: 'AdminMakePackingList' })
export class MakePackingListRequest {
  @OptionalClient('Only orders of this client') client?: string;
  @OptionalTexts({
    max: 1_000,
    maxLength: 40,
    description: 'Only these orders, by their numbers. Others, and those on another list, are left out.',
    example: ['WO-20261120-7K3M9-QXA2B'],
  })
  orders?: string[];

  @OptionalWholeNumber({
    min: 1,
    max: 999_999,
    description: 'How many orders at most; all by default.',
    example: 50,
  })
  limit?: number;
}

export class PackingListQuery {
  @OptionalText({
    max: 200,
    description:
      'Only this order, such as to print its slip again: its number, also as pages shorten it, or the ' +
      "store's own id.",
    example: 'WO-20261120-7K3M9-QXA2B',
  })
  order?: string;

  @OptionalChoice(LAYOUT_NAMES, 'Of slips: one or two on a page, or labels of 4 × 6 inches.')
  layout?: LayoutName;

  @ForExcel() excel?: boolean;
}

@ApiSchema({ name: 'AdminPackingList' })
export class PackingListResponse {
  @WholeNumberField('The number of the list.', 12) packing_list: number;
  @TimeField('When it was made.', '2026-11-20T09:30:00.000Z') made_at: Date;
  @TextField('Who made it.', 'key 3 (Warehouse)') actor: string;
  @TextOrNull('The client that it is limited to.', null) client: string | null;
  @CountField('How many orders it had.', 20) orders: number;
  @CountField('How many are still to ship.', 5) to_ship: number;
  @CountField('How many have left.', 14) shipped: number;
  @CountField('How many were cancelled.', 1) cancelled: number;
  @TimeOrNull('When it was dropped.', null) dropped_at: Date | null;
}

@ApiSchema({ name: 'AdminPackedOrder' })
class PackedOrderResponse {
  @TextField('The number of the order.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @TextField('The name of the client.', 'Mango Market') client: string;
  @TextOrNull("The store's own id.", 'WEB-1001') store_order_id: string | null;
  @TextField('Its status.', 'pending') status: string;
  @TextOrNull('What became of its goods.', null) goods_state: string | null;
  @TimeOrNull('When its first parcel left.', null) shipped_at: Date | null;
  @TimeField('When it was paid.', '2026-11-20T09:30:00.000Z') paid_at: Date;
  @TextField('The recipient.', 'Asha Rao') customer_name: string;
  @TextField('The city of the recipient.', 'Bengaluru') city: string;
  @FlagField('Whether it was changed after its slip was printed.', false) slip_is_old: boolean;
}

@ApiSchema({ name: 'AdminPackingListDetails' })
export class PackingListDetailsResponse extends PackingListResponse {
  @ApiProperty({ description: 'Its orders, the oldest payment first.', type: [PackedOrderResponse] })
  rows: PackedOrderResponse[];
}

@ApiSchema({ name: 'AdminPackingListMade' })
export class PackingListMadeResponse {
  @WholeNumberOrNull('The number of the list; null: no order waits, so no list was made.', 12)
  packing_list: number | null;
  @CountField('How many orders it has.', 20) orders: number;
}

@ApiSchema({ name: 'AdminPackingListDropped' })
export class PackingListDroppedResponse {
  @WholeNumberField('The number of the list.', 12) packing_list: number;
  @CountField('How many orders are free for a new list.', 5) freed: number;
}
