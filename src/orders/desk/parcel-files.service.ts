import { Inject, Injectable } from '@nestjs/common';
import type {
  Batch,
  ImportKind,
  NoteFault,
  RowFault,
  StagedValue,
  Written,
  ImportOptions,
} from '../../imports/import-kind.js';
import type { ImportReport } from '../../imports/import-report.js';
import { addFaults, createWork, DROP_FAULTY, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import { Importer } from '../../imports/importer.service.js';
import type { RecordSource } from '../../imports/record-source.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { parseInstant, type TimeZone } from '../../platform/time/time.js';
import { type CorrectedShipment, OrderCorrectionsService } from '../lifecycle/order-corrections.service.js';
import type { OrderKey } from '../entities/order.entity.js';
import { type Shipment, BEFORE_PLACED, latestMoment, shipmentFaults } from '../rules/shipment.js';
import type { ParcelToShip } from '../lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
// SQL, because one statement compares the whole file with the orders.

/** A batch locks its orders and their stock only for a moment, so that it does not hold up new orders. */
const ORDERS_AT_ONCE = 25;

/** Changes all of the orders, or none. */
type ActOnOrders<Row> = (transaction: Transaction, rows: readonly Row[], actor: string) => Promise<void>;

const REFUSE_UNKNOWN = addFaults(`
  SELECT g.line, 'order_number', format('there is no order %s', g.order_number)
    FROM ${GOOD} g WHERE NOT EXISTS (SELECT FROM orders o WHERE o.order_number = g.order_number)`);

/** Returns the number as it is stored; files may spell it differently. */
function readOrderNumber(cell: string, note: NoteFault): string | null {
  const number = normaliseOrderNumber(cell);
  if (number === null) note('order_number', 'must look like WO-20260131-7K3QZ-9M2XA');
  return number;
}

/** Tries all orders at once. After a refusal it tries one by one, so the report names the bad rows. */
function writeOrders<Row extends { line: number }>(next: string, act: ActOnOrders<Row>) {
  return async ({ session, lines, actor }: Batch): Promise<Written> => {
    const rows = await session.query<Row>(next, lines);
    const attempt = (some: readonly Row[]) =>
      session.attempt(() => act(session.transactionInProgress, some, actor), refusalOf);
    const faults: RowFault[] = [];
    if ((await attempt(rows)) !== undefined)
      for (const row of rows) {
        const fault = await attempt([row]);
        if (fault !== undefined) faults.push({ line: row.line, column: 'order_number', message: fault });
      }
    return { created: 0, updated: rows.length - faults.length, faults };
  };
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.message : undefined;
}

const COLUMN_OF = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
} as const;

/** Skips orders that were shipped exactly like this. The lifecycle checks the others. */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status NOT IN ('shipped', 'delivered')
      OR (o.courier, o.tracking_number, o.tracking_url)
         IS DISTINCT FROM (g.courier, g.tracking_number, g.tracking_url)
      OR date_trunc('milliseconds', o.shipped_at) <> g.shipped_at`);

/** Files have milliseconds, the database has microseconds. */
const IS_EARLY = `shipped_until + interval '1 millisecond' <= placed_at`;

const REFUSE_UNSHIPPABLE = addFaults(`
  SELECT line, 'order_number', CASE
           WHEN status IN ('shipped', 'delivered')
           THEN 'was shipped already, with another courier, tracking or time; "shipment correct" changes that'
           ELSE format('is %s and cannot be shipped', status) END
    FROM ${WORK} WHERE status <> 'pending'
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}'
    FROM ${WORK} WHERE status = 'pending' AND ${IS_EARLY}`);

/** An empty cell keeps the stored value. */
const FIND_CORRECTIONS = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status NOT IN ('shipped', 'delivered')
      OR o.courier <> g.courier
      OR o.tracking_number IS DISTINCT FROM coalesce(g.tracking_number, o.tracking_number)
      OR o.tracking_url IS DISTINCT FROM coalesce(g.tracking_url, o.tracking_url)
      OR date_trunc('milliseconds', o.shipped_at) <> g.shipped_at`);

const REFUSE_UNSHIPPED = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE status NOT IN ('shipped', 'delivered')
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}'
    FROM ${WORK} WHERE status IN ('shipped', 'delivered') AND ${IS_EARLY}`);

const NEXT = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", courier,
         tracking_number AS "trackingNumber", tracking_url AS "trackingUrl", shipped_at AS "shippedAt"
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type WorkRow = { line: number } & OrderKey & Shipment;

type ActOnParcels = ActOnOrders<ParcelToShip>;

type Staged = ShipmentColumn | 'shipped_until';

type ShipmentColumn = 'order_number' | (typeof COLUMN_OF)[keyof typeof COLUMN_OF];

function read(
  cells: Record<ShipmentColumn, string>,
  note: NoteFault,
  timeZone: TimeZone,
): Record<Staged, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const orderNumber = readOrderNumber(number, note);
  const shippedAt = shippedAtText === '' ? null : parseInstant(shippedAtText, timeZone);
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
    shipped_until: shippedAt && latestMoment(shippedAt, timeZone).toISOString(),
  };
}

function toParcel({ line: _, clientId, orderNumber, ...shipment }: WorkRow): ParcelToShip {
  return { key: { clientId, orderNumber }, shipment };
}

function known({ courier, trackingNumber, trackingUrl, shippedAt }: Shipment): CorrectedShipment {
  return {
    courier,
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    ...(shippedAt !== null && { shippedAt }),
  };
}

function shipmentImport(
  timeZone: TimeZone,
  compare: readonly string[],
  act: ActOnParcels,
): ImportKind<ShipmentColumn, Staged> {
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
      shipped_until: 'timestamptz',
    },
    key: ['order_number'],
    keyColumn: 'order_number',
    read: (cells, note) => read(cells, note, timeZone),
    compare: [REFUSE_UNKNOWN, ...compare, DROP_FAULTY],
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<WorkRow>(NEXT, (transaction, rows, actor) =>
      act(transaction, rows.map(toParcel), actor),
    ),
  };
}

/** Skips orders that were already delivered. */
const FIND_DELIVERED = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status <> 'delivered'`);

const REFUSE_UNDELIVERABLE = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE status <> 'shipped'`);

const NEXT_DELIVERED = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber"
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type DeliveredRow = { line: number } & OrderKey;

function deliveryImport(act: ActOnOrders<DeliveredRow>): ImportKind<'order_number'> {
  return {
    name: 'deliveries',
    columns: ['order_number'],
    staged: { order_number: 'text' },
    key: ['order_number'],
    keyColumn: 'order_number',
    read: (cells, note) => ({ order_number: readOrderNumber(cells.order_number, note) }),
    compare: [REFUSE_UNKNOWN, FIND_DELIVERED, REFUSE_UNDELIVERABLE, DROP_FAULTY],
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders(NEXT_DELIVERED, act),
  };
}

interface Files {
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport>;
}

/** Files of couriers: shipments, corrections of shipments, and deliveries. */
@Injectable()
export class ParcelFilesService {
  readonly shipments: Files;
  /** Changes shipped orders. An empty cell keeps the stored value. */
  readonly corrections: Files;
  readonly deliveries: Files;

  constructor(
    importer: Importer,
    lifecycle: OrderLifecycleService,
    corrections: OrderCorrectionsService,
    @Inject(SETTINGS) { timeZone }: Settings,
  ) {
    const filesOf = <Column extends string, Of extends string>(kind: ImportKind<Column, Of>): Files => ({
      import: (source, options) => importer.run(kind, source, options),
    });
    const ship: ActOnParcels = (transaction, parcels, actor) =>
      lifecycle.shipWithin(transaction, parcels, actor);
    const correct: ActOnParcels = async (transaction, parcels, actor) => {
      for (const { key, shipment } of parcels)
        await corrections.shipmentWithin(transaction, key, known(shipment), actor);
    };
    this.shipments = filesOf(shipmentImport(timeZone, [FIND_WORK, REFUSE_UNSHIPPABLE], ship));
    this.corrections = filesOf(shipmentImport(timeZone, [FIND_CORRECTIONS, REFUSE_UNSHIPPED], correct));
    this.deliveries = filesOf(
      deliveryImport((transaction, rows, actor) =>
        lifecycle.actWithin(transaction, [...rows], { action: 'deliver' }, actor),
      ),
    );
  }
}
