import { Injectable } from '@nestjs/common';
import { CsvFile } from '../../imports/csv-file.js';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import { OrderLifecycle } from '../moving/order-lifecycle.js';
import { shipmentImport } from './shipment-import.js';

@Injectable()
export class ShipmentFiles {
  constructor(
    private readonly importer: Importer,
    private readonly lifecycle: OrderLifecycle,
  ) {}

  async import(path: string, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(shipmentImport(this.lifecycle), await CsvFile.open(path), options);
  }
}
