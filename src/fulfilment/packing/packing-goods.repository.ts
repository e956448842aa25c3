import { Injectable } from '@nestjs/common';
import { item, order, VARIATION } from '../../orders/records/line-columns.js';
import { selectOf } from '../../platform/database/columns-of.js';
import { Database } from '../../platform/database/database.js';
import { LEFT, SHELF, TO_PACK } from './packing-lines.repository.js';
import type { Goods } from './put-in.js';

/** One thing to take from its shelf. */
export interface GoodsToPack extends Goods {
  name: string;
  shelf: string;
  /** The first picture. */
  picture: string | null;
  /** That need it. */
  orders: number;
}

const COLUMNS = {
  shelf: SHELF,
  sku: item('sku'),
  variation: VARIATION,
  barcode: 'p.barcode',
  name: `min(${item('name')})`,
  picture: 'min(p.images[1])',
  units: `sum(${LEFT})::int`,
  orders: `count(DISTINCT ${order('orderNumber')})::int`,
} satisfies Record<keyof GoodsToPack, string>;

/** SQL, because units are summed over the lines of orders. */
const GOODS = {
  text: `
    SELECT ${selectOf(COLUMNS)}
      FROM ${TO_PACK} AND ($2::text IS NULL OR ${order('orderNumber')} = $2)
     GROUP BY 1, 2, 3, 4
     ORDER BY nullif(${SHELF}, '') NULLS LAST, 2, 3`,
};

const NEEDING = {
  text: `
    SELECT o.order_number FROM ${TO_PACK} AND (lower(${item('sku')}) = lower($2) OR p.barcode = $2)
     GROUP BY o.order_number, o.paid_at ORDER BY o.paid_at, o.order_number`,
};

const COURIER = {
  text: `
    SELECT b.courier FROM parcels b JOIN orders o USING (client_id, order_number)
     WHERE o.packing_list = $1
     ORDER BY b.recorded_at DESC LIMIT 1`,
};

/** What is to be taken from the shelves. */
@Injectable()
export class PackingGoodsRepository {
  constructor(private readonly database: Database) {}

  /** What has not left of the list, or of one of its orders, by shelf. */
  goodsOf(list: number, orderNumber?: string): Promise<GoodsToPack[]> {
    return this.database.query<GoodsToPack>(GOODS, [list, orderNumber ?? null]);
  }

  /** The orders that need the product with this SKU or barcode, the oldest payment first. */
  async needing(list: number, code: string): Promise<string[]> {
    const found = await this.database.query<{ order_number: string }>(NEEDING, [list, code]);
    return found.map(({ order_number: number }) => number);
  }

  /** The courier of the list's newest parcel. */
  async courierOf(list: number): Promise<string | undefined> {
    const [found] = await this.database.query<{ courier: string }>(COURIER, [list]);
    return found?.courier;
  }
}
