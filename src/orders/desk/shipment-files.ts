import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
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
import type { Parcel, Shipment } from '../lifecycle/order-change.js';
import { type CorrectedShipment, OrderCorrections } from '../corrections/order-corrections.js';
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

/** Several at once, or one alone; each time all or none. */
type Act = (transaction: Transaction, parcels: readonly Parcel[], actor: string) => Promise<void>;

/** Orders are locked in the order of their keys and their stock in that of its ids, for a moment: who orders is not held up by them. */
const PARCELS_AT_ONCE = 25;

/** By the one lifecycle, many at once; where that is refused each by itself, so that those are named for whose sake it was. */
function writer(act: Act) {
  return async ({ session, lines, actor }: Batch): Promise<Written> => {
    const rows = await session.query<WorkRow>(NEXT, lines);
    const attempt = (some: readonly WorkRow[]) =>
      session.attempt(() => act(session.transactionInProgress, some.map(toParcel), actor), refusalOf);
    const faults: RowFault[] = [];
    if ((await attempt(rows)) !== undefined)
      for (const row of rows) {
        const fault = await attempt([row]);
        if (fault !== undefined) faults.push({ line: row.line, column: 'order_number', message: fault });
      }
    return { created: 0, updated: rows.length - faults.length, faults };
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

function refusalOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.message : undefined;
}

function shipmentImport(compare: readonly string[], act: Act): ImportKind<ShipmentColumn> {
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
    batchSize: PARCELS_AT_ONCE,
    write: writer(act),
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
    const ship: Act = (transaction, parcels, actor) => this.lifecycle.shipWithin(transaction, parcels, actor);
    return this.importer.run(shipmentImport([FIND_WORK, REFUSE_UNSHIPPABLE], ship), source, options);
  }

  /** Of what was shipped already. An empty cell leaves what is known as it is. */
  correct(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const correct: Act = async (transaction, parcels, actor) => {
      for (const { key, shipment } of parcels)
        await this.corrections.shipmentWithin(transaction, key, known(shipment), actor);
    };
    return this.importer.run(shipmentImport([FIND_CORRECTIONS, REFUSE_UNSHIPPED], correct), source, options);
  }
}
