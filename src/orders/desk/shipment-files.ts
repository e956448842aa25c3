import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import type {
  Batch,
  ImportKind,
  NoteFault,
  RowFault,
  StagedValue,
  Written,
} from '../../imports/import-kind.js';
import { addFaults, createWork, DROP_FAULTY, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import { Importer } from '../../imports/importer.js';
import type { RecordSource } from '../../imports/record-source.js';
import { parseInstant } from '../../platform/validation/instant.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { Shipment } from '../lifecycle/order-change.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import { shipmentFaults } from './shipment-details.js';
import { BEFORE_PLACED, IS_SHIPPED_TOO_EARLY } from '../rules/shipped-at.js';

const COLUMN_OF = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
} as const;

// SQL, because a file is compared with the orders as a whole.

const REFUSE_UNKNOWN = addFaults(`
  SELECT g.line, 'order_number', format('there is no order %s', g.order_number)
    FROM ${GOOD} g WHERE NOT EXISTS (SELECT FROM orders o WHERE o.order_number = g.order_number)`);

/** An order that was shipped like that already needs nothing; one in another state is judged by the lifecycle when its turn comes. */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status NOT IN ('shipped', 'delivered')
      OR (o.courier, o.tracking_number, o.tracking_url) IS DISTINCT FROM (g.courier, g.tracking_number, g.tracking_url)
      OR date_trunc('milliseconds', o.shipped_at) <> g.shipped_at`);

const REFUSE_UNSHIPPABLE = addFaults(`
  SELECT line, 'order_number', CASE
           WHEN status IN ('shipped', 'delivered') THEN 'was shipped already, with another courier, tracking or time'
           ELSE format('is %s and cannot be shipped', status) END
    FROM ${WORK} WHERE status <> 'pending'
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE status = 'pending' AND ${IS_SHIPPED_TOO_EARLY}`);

const NEXT = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", courier, tracking_number AS "trackingNumber",
         tracking_url AS "trackingUrl", shipped_at AS "shippedAt"
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type WorkRow = { line: number } & OrderKey & Shipment;

type ShipmentColumn = 'order_number' | (typeof COLUMN_OF)[keyof typeof COLUMN_OF];

function read(cells: Record<ShipmentColumn, string>, note: NoteFault): Record<ShipmentColumn, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const orderNumber = normaliseOrderNumber(number);
  if (orderNumber === null) note('order_number', 'must look like WO-20260131-7K3QZ-9M2XA');
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

/** Each order by the one lifecycle, in a transaction of its own unless all or none are to be shipped. */
function writer(lifecycle: OrderLifecycle) {
  return async ({ session, lines, actor }: Batch): Promise<Written> => {
    const faults: RowFault[] = [];
    const rows = await session.query<WorkRow>(NEXT, lines);
    for (const { line, clientId, orderNumber, ...shipment } of rows) {
      const ship = () =>
        lifecycle.actWithin(
          session.transactionInProgress,
          { clientId, orderNumber },
          { action: 'ship', ...shipment },
          actor,
        );
      const fault = await session.attempt(ship, refusalOf);
      if (fault !== undefined) faults.push({ line, column: 'order_number', message: fault });
    }
    return { created: 0, updated: rows.length - faults.length, faults };
  };
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.message : undefined;
}

function shipmentImport(lifecycle: OrderLifecycle): ImportKind<ShipmentColumn> {
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
    compare: [REFUSE_UNKNOWN, FIND_WORK, REFUSE_UNSHIPPABLE, DROP_FAULTY],
    // Locks on many orders and their stock, taken in the order of a file, would stand in the way of orders being placed.
    batchSize: 1,
    write: writer(lifecycle),
  };
}

/** What couriers took, file by file. */
@Injectable()
export class ShipmentFiles {
  constructor(
    private readonly importer: Importer,
    private readonly lifecycle: OrderLifecycle,
  ) {}

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(shipmentImport(this.lifecycle), source, options);
  }
}
