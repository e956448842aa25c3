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
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  FAULTS,
  GOOD,
  inBatch,
  STAGED,
  WORK,
} from '../../imports/import-tables.js';
import { Importer } from '../../imports/importer.service.js';
import type { RecordSource } from '../../imports/record-source.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { parseInstant, type TimeZone } from '../../platform/time/time.js';
import {
  type CorrectedShipment,
  OrderCorrectionsService,
} from '../../orders/lifecycle/order-corrections.service.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import { type Shipment, BEFORE_PLACED, latestMoment, shipmentFaults } from '../../orders/rules/shipment.js';
import { type KeyedChange, OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import { normaliseOrderNumber } from '../../orders/rules/order-number.js';
import { readLineQuantities } from '../../orders/rules/order-units.js';

// SQL, because one statement compares the whole file with the orders.

/** A batch locks its orders and their stock only for a moment, so that it does not hold up new orders. */
export const ORDERS_AT_ONCE = 25;

/** Changes all of the orders, or none. */
type ActOnOrders<Row> = (transaction: Transaction, rows: readonly Row[], actor: string) => Promise<void>;

export const REFUSE_UNKNOWN = addFaults(`
  SELECT g.line, 'order_number', format('there is no order %s', g.order_number)
    FROM ${GOOD} g WHERE NOT EXISTS (SELECT FROM orders o WHERE o.order_number = g.order_number)`);

/** Returns the number as it is stored; files may spell it differently. */
export function readOrderNumber(cell: string, note: NoteFault): string | null {
  const number = normaliseOrderNumber(cell);
  if (number === null) note('order_number', 'must look like WO-20260131-7K3QZ-9M2XA');
  return number;
}

/** Tries all orders at once. After a refusal it tries one by one, so the report names the bad rows. */
export function writeOrders<Row extends { line: number }>(
  next: string,
  act: ActOnOrders<Row>,
  counted: 'created' | 'updated' = 'updated',
) {
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
    return { created: 0, updated: 0, [counted]: rows.length - faults.length, faults };
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

/** The lines of a parcel `p`, as rows have them: `1=2 2=1`. */
const PARCEL_LINES = `
  (SELECT string_agg(format('%s=%s', u.line, u.quantity), ' ' ORDER BY u.line) FROM parcel_items u
    WHERE (u.client_id, u.order_number, u.parcel) = (p.client_id, p.order_number, p.parcel))`;

/** A row with neither tracking number nor lines may be a new parcel, while goods are left. */
const IS_KNOWN = `
  EXISTS (SELECT FROM parcels p
           WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
             AND (p.courier, p.tracking_number, p.tracking_url)
                 IS NOT DISTINCT FROM (g.courier, g.tracking_number, g.tracking_url)
             AND date_trunc('milliseconds', p.shipped_at)
                 = coalesce(g.shipped_at, date_trunc('milliseconds', p.shipped_at))
             AND CASE WHEN g.lines IS NOT NULL THEN g.lines = ${PARCEL_LINES}
                      ELSE g.tracking_number IS NOT NULL OR o.status <> 'pending' END)`;

/**
 * Skips parcels that are known. Of the rows of an order without lines the first, `opener`, takes everything
 * that is left; the others are further boxes.
 */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until, g.lines,
         opener.line AS opener,
         g.lines IS NULL AND (o.status <> 'pending' OR row_number() OVER (
           PARTITION BY g.order_number, g.lines IS NULL ORDER BY g.line) > 1) AS is_box
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number
    LEFT JOIN (SELECT order_number, min(line) AS line FROM ${STAGED} WHERE lines IS NULL
                GROUP BY order_number) AS opener
           ON opener.order_number = g.order_number AND opener.line < g.line AND g.lines IS NULL
   WHERE NOT ${IS_KNOWN}`);

/** Files have milliseconds, the database has microseconds. */
const IS_EARLY = `shipped_until + interval '1 millisecond' <= placed_at`;

/** A further box of a shipped order follows a row that the order was shipped with. */
const CAN_SHIP = `
  (status = 'pending'
   OR status = 'shipped' AND is_box AND opener IS NOT NULL AND opener NOT IN (SELECT line FROM ${WORK}))`;

const REFUSE_UNSHIPPABLE = addFaults(`
  SELECT line, 'order_number', CASE
           WHEN opener IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning)
           THEN format('waits for row %s of the same order, which is refused', opener)
           WHEN status IN ('shipped', 'delivered')
           THEN 'was shipped already, with another courier, tracking or time: correct its shipment instead'
           ELSE format('is %s and cannot be shipped', status) END
    FROM ${WORK}
   WHERE NOT ${CAN_SHIP} OR opener IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning)
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE ${CAN_SHIP} AND ${IS_EARLY}`);

/**
 * The parcel of a row: the one with its number, or with its tracking number, or the newest. An empty cell
 * keeps the stored value.
 */
const FIND_CORRECTIONS = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, o.placed_at,
         g.courier, g.tracking_number, g.tracking_url, g.shipped_at, g.shipped_until,
         g.parcel AS wanted, p.parcel
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number
    LEFT JOIN LATERAL (
           SELECT * FROM parcels p
            WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
              AND p.parcel = coalesce(g.parcel, p.parcel)
            ORDER BY p.tracking_number IS NOT DISTINCT FROM g.tracking_number DESC, p.parcel DESC
            LIMIT 1) AS p ON true
   WHERE p.parcel IS NULL
      OR p.courier <> g.courier
      OR p.tracking_number IS DISTINCT FROM coalesce(g.tracking_number, p.tracking_number)
      OR p.tracking_url IS DISTINCT FROM coalesce(g.tracking_url, p.tracking_url)
      OR date_trunc('milliseconds', p.shipped_at) <> g.shipped_at`);

const NO_SUCH_PARCEL = 'is no parcel of the order';

const REFUSE_UNSHIPPED = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE parcel IS NULL AND wanted IS NULL
  UNION ALL
  SELECT line, 'parcel', '${NO_SUCH_PARCEL}' FROM ${WORK} WHERE parcel IS NULL AND wanted IS NOT NULL
  UNION ALL
  SELECT line, 'shipped_at', '${BEFORE_PLACED}' FROM ${WORK} WHERE parcel IS NOT NULL AND ${IS_EARLY}`);

const SHOW_CORRECTIONS = `
  SELECT w.line, w.is_new, format('%s, parcel %s', w.order_number, w.parcel) AS name, (
           SELECT jsonb_agg(jsonb_build_array(name, old, new) ORDER BY at)
             FROM (VALUES (1, 'courier', p.courier, w.courier),
                          (2, 'tracking_number', p.tracking_number, w.tracking_number),
                          (3, 'tracking_url', p.tracking_url, w.tracking_url),
                          (4, 'shipped_at', date_trunc('milliseconds', p.shipped_at)::text,
                           w.shipped_at::text)) AS field (at, name, old, new)
            WHERE old IS DISTINCT FROM coalesce(new, old)) AS fields
    FROM ${WORK} w JOIN parcels p USING (client_id, order_number, parcel)`;

const SHIPMENT = `
  line, client_id AS "clientId", order_number AS "orderNumber", courier, tracking_number AS "trackingNumber",
  tracking_url AS "trackingUrl", shipped_at AS "shippedAt"`;

const NEXT_SHIPPED = `
  SELECT ${SHIPMENT}, lines, is_box AS "isBox" FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

const NEXT_CORRECTED = `SELECT ${SHIPMENT}, parcel FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type ShippedRow = { line: number; lines: string | null; isBox: boolean } & OrderKey & Shipment;
type CorrectedRow = { line: number; parcel: number } & OrderKey & Shipment;

/** The units of an order `w` that did not leave yet. */
const LEFT_LINES = `
  (SELECT string_agg(format('%s=%s', i.line, i.quantity - i.shipped - i.cancelled), ' ' ORDER BY i.line)
     FROM order_items i
    WHERE (i.client_id, i.order_number) = (w.client_id, w.order_number)
      AND i.quantity > i.shipped + i.cancelled)`;

const SHOW_SHIPMENTS = `
  SELECT w.line, w.is_new, w.order_number AS name, (
           SELECT jsonb_agg(jsonb_build_array(name, NULL, value) ORDER BY at)
             FROM (VALUES (1, 'courier', w.courier), (2, 'tracking_number', w.tracking_number),
                          (3, 'tracking_url', w.tracking_url), (4, 'shipped_at', w.shipped_at::text),
                          (5, 'lines', CASE WHEN w.is_box THEN 'none'
                                            ELSE coalesce(w.lines, 'the rest of ' || ${LEFT_LINES}) END)
                   ) AS field (at, name, value)
            WHERE value IS NOT NULL) AS fields
    FROM ${WORK} w`;

const SHIPMENT_COLUMNS = [
  'order_number',
  'courier',
  'tracking_number',
  'tracking_url',
  'shipped_at',
] as const;

type ShipmentColumn = (typeof SHIPMENT_COLUMNS)[number];

const SHIPMENT_STAGED = {
  order_number: 'text',
  courier: 'text',
  tracking_number: 'text',
  tracking_url: 'text',
  shipped_at: 'timestamptz',
  shipped_until: 'timestamptz',
} as const;

function readShipment(
  cells: Record<ShipmentColumn, string>,
  note: NoteFault,
  timeZone: TimeZone,
): Record<keyof typeof SHIPMENT_STAGED, StagedValue> {
  const { order_number: number, courier, shipped_at: shippedAtText } = cells;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = cells;
  const orderNumber = readOrderNumber(number, note);
  const shippedAt = shippedAtText === '' ? null : parseInstant(shippedAtText, timeZone);
  if (shippedAtText !== '' && shippedAt === null)
    note('shipped_at', 'must be an ISO date or time such as 2026-01-31T18:00+05:30');
  const shipment = { courier, trackingNumber, trackingUrl: trackingUrl || null, shippedAt };
  for (const [field, fault] of shipmentFaults(shipment)) note(COLUMN_OF[field], fault);
  return {
    order_number: orderNumber,
    courier: orNull(courier),
    tracking_number: orNull(trackingNumber),
    tracking_url: orNull(trackingUrl),
    shipped_at: shippedAt?.toISOString() ?? null,
    shipped_until: shippedAt && latestMoment(shippedAt, timeZone).toISOString(),
  };
}

function orNull(text: string): string | null {
  return text === '' || text.includes('\0') ? null : text.toWellFormed();
}

/** In the order of the lines, so that equal lines are equal texts. */
function readLines(cell: string, note: NoteFault): string | null {
  if (cell === '') return null;
  try {
    const lines = readLineQuantities([cell]).toSorted((a, b) => a.line - b.line);
    return lines.map(({ line, quantity }) => `${line}=${quantity}`).join(' ');
  } catch (error) {
    note('lines', refusalOf(error)!);
    return null;
  }
}

function readParcel(cell: string, note: NoteFault): number | null {
  if (cell === '') return null;
  if (/^[1-9]\d{0,5}$/.test(cell)) return Number(cell);
  note('parcel', 'must be the number of a parcel in its order, such as 2');
  return null;
}

/** A parcel may be in a file only once. */
const BOX = { box: 'text' } as const;
const KEY = ['order_number', 'box'] as const;

/** Parcels without a tracking number differ by their lines. */
function shipmentImport(
  timeZone: TimeZone,
  act: ActOnOrders<ShippedRow>,
): ImportKind<ShipmentColumn | 'lines', keyof typeof SHIPMENT_STAGED | 'lines' | 'box'> {
  return {
    name: 'shipments',
    columns: ['order_number', 'courier'],
    optional: ['tracking_number', 'tracking_url', 'shipped_at', 'lines'],
    times: ['shipped_at'],
    staged: { ...SHIPMENT_STAGED, lines: 'text', ...BOX },
    key: KEY,
    keyColumn: 'order_number',
    read: (cells, note) => {
      const shipment = readShipment(cells, note, timeZone);
      const lines = readLines(cells.lines, note);
      return { ...shipment, lines, box: shipment.tracking_number ?? `lines ${lines ?? ''}` };
    },
    compare: [REFUSE_UNKNOWN, FIND_WORK, REFUSE_UNSHIPPABLE, DROP_FAULTY],
    changes: SHOW_SHIPMENTS,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<ShippedRow>(NEXT_SHIPPED, act),
  };
}

function toShipped({ clientId, orderNumber, line: _, lines, isBox, ...shipment }: ShippedRow): KeyedChange {
  const units = lines === null ? undefined : readLineQuantities([lines]);
  return {
    key: { clientId, orderNumber },
    change: { action: 'ship', ...shipment, lines: isBox ? [] : units },
  };
}

function correctionImport(
  timeZone: TimeZone,
  act: ActOnOrders<CorrectedRow>,
): ImportKind<ShipmentColumn | 'parcel', keyof typeof SHIPMENT_STAGED | 'parcel' | 'box'> {
  return {
    name: 'shipments',
    columns: ['order_number', 'courier'],
    optional: ['tracking_number', 'tracking_url', 'shipped_at', 'parcel'],
    times: ['shipped_at'],
    staged: { ...SHIPMENT_STAGED, parcel: 'integer', ...BOX },
    key: KEY,
    keyColumn: 'order_number',
    read: (cells, note) => {
      const shipment = readShipment(cells, note, timeZone);
      const parcel = readParcel(cells.parcel, note);
      return { ...shipment, parcel, box: boxOf(parcel, shipment.tracking_number) };
    },
    compare: [REFUSE_UNKNOWN, FIND_CORRECTIONS, REFUSE_UNSHIPPED, DROP_FAULTY],
    changes: SHOW_CORRECTIONS,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders<CorrectedRow>(NEXT_CORRECTED, act),
  };
}

function boxOf(parcel: number | null, trackingNumber: StagedValue): string {
  return parcel === null ? `tracking ${String(trackingNumber ?? '')}` : `parcel ${parcel}`;
}

function known({ courier, trackingNumber, trackingUrl, shippedAt }: Shipment): CorrectedShipment {
  return {
    courier,
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    ...(shippedAt !== null && { shippedAt }),
  };
}

/** Skips parcels that were delivered already. A row that names no parcel means all parcels of its order. */
const FIND_DELIVERED = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status, p.found, p.parcel,
         g.parcel AS wanted, g.tracking_number
    FROM ${GOOD} g
    JOIN orders o ON o.order_number = g.order_number,
         LATERAL (
           SELECT count(*) AS found, count(*) FILTER (WHERE p.delivered_at IS NULL) AS open,
                  CASE WHEN g.parcel IS NOT NULL OR g.tracking_number IS NOT NULL
                       THEN min(p.parcel) END AS parcel
             FROM parcels p
            WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)
              AND (g.parcel IS NULL OR p.parcel = g.parcel)
              AND (g.tracking_number IS NULL OR p.tracking_number = g.tracking_number)) AS p
   WHERE p.found = 0 OR p.open > 0`);

const REFUSE_UNDELIVERABLE = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status)
    FROM ${WORK} WHERE found = 0 AND wanted IS NULL AND tracking_number IS NULL
  UNION ALL
  SELECT line, CASE WHEN wanted IS NULL THEN 'tracking_number' ELSE 'parcel' END, '${NO_SUCH_PARCEL}'
    FROM ${WORK} WHERE found = 0 AND (wanted IS NOT NULL OR tracking_number IS NOT NULL)`);

const SHOW_DELIVERIES = `
  SELECT w.line, w.is_new, w.order_number AS name, (
           SELECT jsonb_agg(jsonb_build_array('parcel', NULL,
                    concat_ws(' ', p.parcel, p.courier, p.tracking_number)) ORDER BY p.parcel)
             FROM parcels p
            WHERE (p.client_id, p.order_number) = (w.client_id, w.order_number)
              AND p.parcel = coalesce(w.parcel, p.parcel) AND p.delivered_at IS NULL) AS fields
    FROM ${WORK} w`;

const NEXT_DELIVERED = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber", parcel
    FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type DeliveredRow = { line: number; parcel: number | null } & OrderKey;

type DeliveredColumn = 'order_number' | 'parcel' | 'tracking_number';

function deliveryImport(
  act: ActOnOrders<DeliveredRow>,
): ImportKind<DeliveredColumn, DeliveredColumn | 'box'> {
  return {
    name: 'deliveries',
    columns: ['order_number'],
    optional: ['parcel', 'tracking_number'],
    staged: { order_number: 'text', parcel: 'integer', tracking_number: 'text', ...BOX },
    key: KEY,
    keyColumn: 'order_number',
    read: (cells, note) => {
      const parcel = readParcel(cells.parcel, note);
      const trackingNumber = orNull(cells.tracking_number);
      return {
        order_number: readOrderNumber(cells.order_number, note),
        parcel,
        tracking_number: trackingNumber,
        box: boxOf(parcel, trackingNumber),
      };
    },
    compare: [REFUSE_UNKNOWN, FIND_DELIVERED, REFUSE_UNDELIVERABLE, DROP_FAULTY],
    changes: SHOW_DELIVERIES,
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders(NEXT_DELIVERED, act),
  };
}

function toDelivered({ clientId, orderNumber, parcel }: DeliveredRow): KeyedChange {
  return { key: { clientId, orderNumber }, change: { action: 'deliver', parcel: parcel ?? undefined } };
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
    this.shipments = filesOf(
      shipmentImport(timeZone, (transaction, rows, actor) =>
        lifecycle.changeWithin(transaction, rows.map(toShipped), actor),
      ),
    );
    this.corrections = filesOf(
      correctionImport(timeZone, async (transaction, rows, actor) => {
        for (const { clientId, orderNumber, parcel, ...shipment } of rows)
          await corrections.shipmentWithin(
            transaction,
            { clientId, orderNumber },
            known(shipment),
            actor,
            parcel,
          );
      }),
    );
    this.deliveries = filesOf(
      deliveryImport((transaction, rows, actor) =>
        lifecycle.changeWithin(transaction, rows.map(toDelivered), actor),
      ),
    );
  }
}
