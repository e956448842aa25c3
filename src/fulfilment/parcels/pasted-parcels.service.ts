import { Injectable } from '@nestjs/common';
import type { RowFault } from '../../imports/import-kind.js';
import type { ImportReport } from '../../imports/import-report.js';
import { rowsSource } from '../../imports/record-source.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { ParcelFilesService } from './parcel-files.service.js';
import { parcelsIn } from './pasted-parcels.js';

/** What a paste did, or would do. */
export interface PasteOutcome extends Pick<ImportReport, 'dryRun' | 'updated' | 'unchanged' | 'failedCount'> {
  faults: readonly RowFault[];
}

/** More refused lines are only counted. */
const MOST_FAULTS = 200;

/** Ships the orders of pasted lines, as a file does. */
@Injectable()
export class PastedParcelsService {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly parcels: ParcelFilesService,
  ) {}

  /** A parcel that is known stays as it is. */
  async ship(
    text: string,
    courier: string,
    options: { dryRun: boolean; actor: string },
  ): Promise<PasteOutcome> {
    const parcels = parcelsIn(text);
    const numbers = await this.orders.numbersOf(parcels.map(({ order }) => order).filter(Boolean));
    const unknown: RowFault[] = [];
    const rows = parcels.map(({ order, tracking }, at) => {
      const found = numbers.get(order);
      if (found && 'number' in found) return [found.number, courier, tracking];
      if (found) unknown.push({ line: at + 1, column: order, message: found.fault });
      return ['', '', ''];
    });
    const source = rowsSource(['order_number', 'courier', 'tracking_number'], ...rows);
    const report = await this.parcels.shipments.import(source, options);
    try {
      const faults = unknown.slice(0, MOST_FAULTS);
      for await (const fault of report.failed()) {
        // The heading of a file is its first row. Pasted lines have none.
        faults.push({ ...fault, line: fault.line - 1 });
        if (faults.length >= MOST_FAULTS) break;
      }
      const { updated, unchanged, failedCount } = report;
      faults.sort((one, other) => one.line - other.line);
      return { ...options, updated, unchanged, failedCount: failedCount + unknown.length, faults };
    } finally {
      await report.close();
    }
  }
}
