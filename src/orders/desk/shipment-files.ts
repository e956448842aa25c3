import { Injectable } from '@nestjs/common';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import type { RecordSource } from '../../imports/record-source.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import { shipmentImport } from './shipment-import.js';

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
