import { Injectable } from '@nestjs/common';
import type { ImportKind, NoteFault, StagedValue } from '../../imports/import-kind.js';
import { addFaults, createWork, DROP_FAULTY, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import { Importer } from '../../imports/importer.js';
import type { RecordSource } from '../../imports/record-source.js';
import { parseInstant } from '../../platform/validation/instant.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { Parcel, Shipment } from '../lifecycle/order-change.js';
import { type CorrectedShipment, OrderCorrections } from '../corrections/order-corrections.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import {
  type ActOnOrders,
  ORDERS_AT_ONCE,
  readOrderNumber,
  REFUSE_UNKNOWN,
  writeOrders,
} from './write-orders.js';
import { shipmentFaults } from './shipment-details.js';
import { BEFORE_PLACED, IS_SHIPPED_TOO_EARLY } from '../rules/shipped-at.js';

const COLUMN_OF = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
} as const;

// SQL, because a file is compared with the orders as a whole.

/** An order that was shipped like that already needs nothing. What changes after this is judged by the lifecycle, when its turn comes. */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status NOT IN ('shipped', 'delivered')
      OR (o.courier, o.tracking_number, o.tracking_url) IS DISTINCT FROM (g.courier, g.tracking_number, g.tracking_url)
      OR date_trunc('milliseconds', o.shipped_at) <> g.shipped_at`);

const REFUSE_UNSHIPPABLE = addFaults(`
  SELECT line, 'order_number', CASE
           WHEN status IN ('shipped', 'delivered') THEN 'was shipped already, with another courier, tracking or time; "shipment correct" changes that'
           ELSE format('is %s and cannot be shipped', status) END
    FROM ${WORK} WHERE status <> 'pending'
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE status = 'pending' AND ${IS_SHIPPED_TOO_EARLY}`);

/** A correction says nothing of what it leaves empty. */
const FIND_CORRECTIONS = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status NOT IN ('shipped', 'delivered')
      OR o.courier <> g.courier OR o.tracking_number IS DISTINCT FROM coalesce(g.tracking_number, o.tracking_number)
      OR o.tracking_url IS DISTINCT FROM coalesce(g.tracking_url, o.tracking_url)
      OR date_trunc('milliseconds', o.shipped_at) <> g.shipped_at`);

const REFUSE_UNSHIPPED = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE status NOT IN ('shipped', 'delivered')
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}'
    FROM ${WORK} WHERE status IN ('shipped', 'delivered') AND ${IS_SHIPPED_TOO_EARLY}`);

const NEXT = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", courier, tracking_number AS "trackingNumber",
         tracking_url AS "trackingUrl", shipped_at AS "shippedAt"
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type WorkRow = { line: number } & OrderKey & Shipment;

type ActOnParcels = ActOnOrders<Parcel>;

type ShipmentColumn = 'order_number' | (typeof COLUMN_OF)[keyof typeof COLUMN_OF];

function read(cells: Record<ShipmentColumn, string>, note: NoteFault): Record<ShipmentColumn, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const orderNumber = readOrderNumber(number, note);
  const shippedAt = shippedAtText === '' ? null : parseInstant(shippedAtText);
  if (shippedAtText !== '' && shippedAt === null)
    note('shipped_at', 'must be an ISO date or time such as 2026-01-31T18:00+05:30');
  const shipment = { courier, trackingNumber, trackingUrl: trackingUrl || null, shippedAt };
  for (const [field, fault] of shipmentFaults(shipment)) note(COLUMN_OF[field], fault);
  const orNull = (text: string) => (text === '' || text.includes('\0') ? null : text.toWellFormed());
  return {
    order_number: orderNumber,
    courier: orNull(courier),
    tracking_number: orNull(trackingNumber),
    tracking_url: orNull(trackingUrl),
    shipped_at: shippedAt?.toISOString() ?? null,
  };
}

function toParcel({
  clientId,
  orderNumber,
  courier,
  trackingNumber,
  trackingUrl,
  shippedAt,
}: WorkRow): Parcel {
  return {
    key: { clientId, orderNumber },
    shipment: { courier, trackingNumber, trackingUrl, shippedAt },
  };
}

function known({ courier, trackingNumber, trackingUrl, shippedAt }: Shipment): CorrectedShipment {
  return {
    courier,
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    ...(shippedAt !== null && { shippedAt }),
  };
}

function shipmentImport(compare: readonly string[], act: ActOnParcels): ImportKind<ShipmentColumn> {
  return {
    name: 'shipments',
    columns: ['order_number', 'courier'],
    optional: ['tracking_number', 'tracking_url', 'shipped_at'],
    times: ['shipped_at'],
    staged: {
      order_number: 'text',
      courier: 'text',
      tracking_number: 'text',
      tracking_url: 'text',
      shipped_at: 'timestamptz',
    },
    key: ['order_number'],
    keyColumn: 'order_number',
    read,
    compare: [REFUSE_UNKNOWN, ...compare, DROP_FAULTY],
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<WorkRow>(NEXT, (transaction, rows, actor) =>
      act(transaction, rows.map(toParcel), actor),
    ),
  };
}

/** What couriers took, file by file. */
@Injectable()
export class ShipmentFiles {
  constructor(
    private readonly importer: Importer,
    private readonly lifecycle: OrderLifecycle,
    private readonly corrections: OrderCorrections,
  ) {}

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const ship: ActOnParcels = (transaction, parcels, actor) =>
      this.lifecycle.shipWithin(transaction, parcels, actor);
    return this.importer.run(shipmentImport([FIND_WORK, REFUSE_UNSHIPPABLE], ship), source, options);
  }

  /** Of what was shipped already. An empty cell leaves what is known as it is. */
  correct(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const correct: ActOnParcels = async (transaction, parcels, actor) => {
      for (const { key, shipment } of parcels)
        await this.corrections.shipmentWithin(transaction, key, known(shipment), actor);
    };
    return this.importer.run(shipmentImport([FIND_CORRECTIONS, REFUSE_UNSHIPPED], correct), source, options);
  }
}
