import { Inject, Injectable } from '@nestjs/common';
import { Product } from '../../catalog/product.entity.js';
import { item, order, ORDERS_LINES, orEmpty, VARIATION } from '../../orders/records/line-columns.js';
import { SLIP_CONTENT } from '../../orders/lifecycle/printed-slip.js';
import type { DeskFilter } from '../../orders/records/order-desk.repository.js';
import { conditionsOf, toShipFirst } from '../../orders/records/order-filter.js';
import {
  orderField,
  type ExportName,
  exportName,
  ORDER_FIELD_NAMES,
  type OrderFieldName,
} from '../../orders/rules/order-fields.js';
import { columnOf, selectOf } from '../../../platform/database/columns-of.js';
import { Database } from '../../../platform/database/database.js';
import {
  toCells,
  type SpreadsheetExport,
  readExport,
} from '../../../platform/database/spreadsheet-export.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { Goods } from './pack-goods.js';

const SHELF = `p.${columnOf(Product, 'shelf')}`;

/** Units of a line that have not left. */
const UNSHIPPED_UNITS = `${item('quantity')} - ${item('shipped')} - ${item('cancelled')}`;

/** Order fields at this depth: the recipient stands before the goods, the notes after them. */
const orderFieldColumns = (depth: number) => {
  const names = ORDER_FIELD_NAMES.filter((name) => orderField(name).path.length === depth);
  return Object.fromEntries(names.map((name) => [exportName(name), order(name)])) as OrderFieldColumns;
};

const asText = (json: string) => orEmpty(`${json}::text`);

type OrderFieldColumns = Record<{ [Name in OrderFieldName]: ExportName<Name> }[OrderFieldName], string>;

const ORDER_LINE_COLUMNS = {
  order_number: order('orderNumber'),
  client_id: order('clientId'),
  client: 'c.name',
  store_order_id: orEmpty(order('storeOrderId')),
  status: order('status'),
  courier: orEmpty(order('courier')),
  placed_at: order('placedAt'),
  ...orderFieldColumns(2),
  line: item('line'),
  sku: item('sku'),
  name: item('name'),
  variation: VARIATION,
  quantity: item('quantity'),
  shelf: SHELF,
  ...orderFieldColumns(1),
  metadata: asText(order('metadata')),
  line_metadata: asText(item('metadata')),
};

/** The columns of lines that are still to be packed. */
const TO_PACK_COLUMNS = {
  packing_list: order('packingList'),
  ...ORDER_LINE_COLUMNS,
  quantity: UNSHIPPED_UNITS,
};

export type PackedLine = Record<keyof typeof TO_PACK_COLUMNS, string | number>;

/** The lines of packing list $1 that have not left, with their products. */
const TO_PACK = `
  ${ORDERS_LINES} JOIN products p ON p.id = i.product_id
   WHERE o.packing_list = $1 AND o.status = 'pending' AND ${UNSHIPPED_UNITS} > 0`;

const linesToPackQuery = (columns: string) => `
  SELECT ${columns}
    FROM ${TO_PACK} AND ($2::text[] IS NULL OR o.order_number = ANY ($2))
   ORDER BY ${toShipFirst('o')}, nullif(${SHELF}, '') NULLS LAST, i.line`;

/** Goods to take from one shelf. */
export interface GoodsToPack extends Goods {
  name: string;
  shelf: string;
  /** The first picture. */
  picture: string | null;
  /** The number of orders that need it. */
  orders: number;
}

const GOODS_COLUMNS = {
  shelf: SHELF,
  sku: item('sku'),
  variation: VARIATION,
  barcode: 'p.barcode',
  name: `min(${item('name')})`,
  picture: 'min(p.images[1])',
  units: `sum(${UNSHIPPED_UNITS})::int`,
  orders: `count(DISTINCT ${order('orderNumber')})::int`,
} satisfies Record<keyof GoodsToPack, string>;

/** SQL, because units are summed over the lines of orders. */
const GOODS = {
  text: `
    SELECT ${selectOf(GOODS_COLUMNS)}
      FROM ${TO_PACK} AND ($2::text IS NULL OR ${order('orderNumber')} = $2)
     GROUP BY 1, 2, 3, 4
     ORDER BY nullif(${SHELF}, '') NULLS LAST, 2, 3`,
};

const FIND_NEEDING = {
  text: `
    SELECT o.order_number FROM ${TO_PACK} AND (lower(${item('sku')}) = lower($2) OR p.barcode = $2)
     GROUP BY ${toShipFirst('o')} ORDER BY ${toShipFirst('o')}`,
};

const COURIER = {
  text: `
    SELECT b.courier FROM parcels b JOIN orders o USING (client_id, order_number)
     WHERE o.packing_list = $1
     ORDER BY b.recorded_at DESC LIMIT 1`,
};

/** Lines and goods to pack. SQL, because a cursor streams the lines. */
@Injectable()
export class PackingLinesRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  exportOrders({ clientId, ...filter }: DeskFilter): SpreadsheetExport {
    const { where, values } = conditionsOf(clientId, filter);
    return this.sheet(
      ORDER_LINE_COLUMNS,
      (columns) => `
        SELECT ${columns}
          FROM ${ORDERS_LINES} JOIN products p ON p.id = i.product_id
         WHERE ${where} ORDER BY o.placed_at, o.order_number, i.line`,
      values,
    );
  }

  /** The lines of a packing list that have not left: the oldest payment first, and by shelf. */
  exportList(list: number, orderNumber?: string): SpreadsheetExport<PackedLine> {
    return this.sheet(TO_PACK_COLUMNS, linesToPackQuery, [
      list,
      orderNumber === undefined ? null : [orderNumber],
    ]);
  }

  /** The same for some of its orders, with the content of their slips. */
  async findOrdersOnList(
    list: number,
    orderNumbers: string[],
  ): Promise<{ lines: PackedLine[]; slips: Map<string, string> }> {
    const text = linesToPackQuery(selectOf({ ...TO_PACK_COLUMNS, slip: SLIP_CONTENT }));
    const rows = await this.database.query<PackedLine & { slip: string }>({ text }, [list, orderNumbers]);
    return {
      lines: rows.map(({ slip: _, ...row }) => toCells(row, this.settings.timeZone) as PackedLine),
      slips: new Map(rows.map(({ order_number: number, slip }) => [String(number), slip])),
    };
  }

  /** The goods of the list, or of one of its orders, that have not left, by shelf. */
  goodsOf(list: number, orderNumber?: string): Promise<GoodsToPack[]> {
    return this.database.query<GoodsToPack>(GOODS, [list, orderNumber ?? null]);
  }

  /** The orders that need the product with this SKU or barcode, the oldest payment first. */
  async findOrdersNeeding(list: number, code: string): Promise<string[]> {
    const rows = await this.database.query<{ order_number: string }>(FIND_NEEDING, [list, code]);
    return rows.map(({ order_number: number }) => number);
  }

  /** The courier of the list's newest parcel. */
  async courierOf(list: number): Promise<string | undefined> {
    const [parcel] = await this.database.query<{ courier: string }>(COURIER, [list]);
    return parcel?.courier;
  }
  private sheet<Column extends string>(
    columns: Record<Column, string>,
    select: (columns: string) => string,
    values: unknown[],
  ) {
    return readExport(this.database, this.settings.timeZone, columns, select, values);
  }
}
