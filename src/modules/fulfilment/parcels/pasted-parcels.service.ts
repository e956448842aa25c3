import { Injectable } from '@nestjs/common';
import type { ImportOptions, RowFault } from '../../../shared/imports/import-kind.js';
import type { ImportReport } from '../../../shared/imports/import-report.js';
import { rowsSource } from '../../../shared/imports/record-source.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { normaliseOrderNumber } from '../../orders/rules/order-number.js';
import type { DeskOrderRow } from '../../orders/records/order-record.js';
import { ParcelFilesService } from './parcel-files.service.js';
import { parsePastedParcels } from './pasted-parcels.js';

export type PastedShipment = { order: DeskOrderRow; tracking: string };

/** The result of a paste, or of its dry run. */
export interface PasteResult extends Pick<ImportReport, 'dryRun' | 'updated' | 'unchanged' | 'failedCount'> {
  faults: readonly RowFault[];
  /** For a dry run, in the order of the lines. */
  shipments: readonly PastedShipment[];
}

/** More refused lines are only counted. */
const MAX_LISTED_FAULTS = 200;

/** Ships the orders of pasted lines, as a file does. */
@Injectable()
export class PastedParcelsService {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly parcels: ParcelFilesService,
  ) {}

  /** A parcel that was shipped before stays as it is. */
  async ship(
    text: string,
    courier: string,
    {
      dryRun,
      ...options
    }: Pick<ImportOptions, 'actor' | 'force' | 'oldSlips' | 'formatMessage'> & { dryRun: boolean },
  ): Promise<PasteResult> {
    const parcels = parsePastedParcels(text);
    const numbers = await this.orders.numbersOf(parcels.map(({ order }) => order).filter(Boolean));
    const refused: RowFault[] = [];
    /** The first line of each order. */
    const lines = new Map<string, number>();
    const rows = parcels.map(({ order, tracking }, at) => {
      const lookUp = numbers.get(order);
      if (!lookUp) return NO_ROW;
      const line = at + 1;
      const fault =
        'fault' in lookUp
          ? lookUp.fault
          : faultOf(normaliseOrderNumber(lookUp.number)!, tracking, lines, line);
      if (fault === undefined && 'number' in lookUp) return [lookUp.number, courier, tracking];
      refused.push({ line, column: order, message: fault! });
      return NO_ROW;
    });
    const source = rowsSource(['order_number', 'courier', 'tracking_number'], ...rows);
    const report = await this.parcels.shipments.import(source, { ...options, dryRun });
    try {
      const faults = refused.slice(0, MAX_LISTED_FAULTS);
      for await (const fault of report.failed()) {
        // The heading of a file is its first row. Pasted lines have none.
        faults.push({ ...fault, line: fault.line - 1 });
        if (faults.length >= MAX_LISTED_FAULTS) break;
      }
      const { updated, unchanged, failedCount } = report;
      faults.sort((one, other) => one.line - other.line);
      return {
        dryRun,
        updated,
        unchanged,
        failedCount: failedCount + refused.length,
        faults,
        shipments: dryRun ? await this.shipmentsOf(report, rows) : [],
      };
    } finally {
      await report.close();
    }
  }

  private async shipmentsOf(report: ImportReport, rows: readonly string[][]): Promise<PastedShipment[]> {
    const tracking = new Map<string, string>();
    for await (const { name, line } of report.changes()) tracking.set(name, rows[line - 2]![2]!);
    const orders = await this.orders.findMany([...tracking.keys()]);
    const byNumber = new Map(orders.map((order) => [order.orderNumber, order]));
    return [...tracking].map(([number, trackingNumber]) => ({
      order: byNumber.get(number)!,
      tracking: trackingNumber,
    }));
  }
}

/** Keeps the numbers of the lines. */
const NO_ROW = ['', '', ''];

/** A person may have forgotten the tracking number, or pasted an order twice. Neither is shipped silently. */
function faultOf(
  number: string,
  tracking: string,
  lines: Map<string, number>,
  line: number,
): string | undefined {
  if (tracking === '') return 'has no tracking number: add it, or ship the order on its page';
  const first = lines.get(number);
  if (first !== undefined) return `is in line ${first} already: ship a second parcel on the order’s page`;
  lines.set(number, line);
  return undefined;
}
