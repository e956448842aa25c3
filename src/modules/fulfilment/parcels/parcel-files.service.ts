import { Inject, Injectable } from '@nestjs/common';
import type { ImportOptions } from '../../../shared/imports/import-kind.js';
import { Importer } from '../../../shared/imports/importer.service.js';
import type { RecordImport } from '../../../shared/imports/record-source.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import type { TrackingException } from '../../orders/rules/shipment.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { ApplyToOrders } from '../order-imports.js';
import { type CorrectedRow, correctionImport, dryRunCorrections, toCorrection } from './correction-import.js';
import { CourierReportsService } from './courier-reports.service.js';
import { deliveryImport } from './delivery-import.js';
import {
  dryRunShipments,
  shipmentImport,
  type ShippedRow,
  toShipmentChange,
  WARN_OF_MONTH,
} from './shipment-import.js';

/** Imports the files of couriers: shipments, corrections of shipments, and deliveries. */
@Injectable()
export class ParcelFilesService {
  readonly shipments: RecordImport;
  /** Changes shipped orders. An empty cell keeps the stored value. */
  readonly corrections: RecordImport;
  readonly deliveries: RecordImport;

  constructor(
    importer: Importer,
    lifecycle: OrderLifecycleService,
    sellers: SellersService,
    reports: CourierReportsService,
    @Inject(SETTINGS) { timeZone }: Settings,
  ) {
    this.shipments = {
      import: async (source, options) => {
        const accepted = { ...sharingOptions(options), oldSlip: options.oldSlips };
        const ship: ApplyToOrders<ShippedRow> = (transaction, rows, actor) =>
          lifecycle.applyChangesWithin(
            transaction,
            rows.map((row) => toShipmentChange(row, accepted)),
            actor,
          );
        const shipments = shipmentImport(timeZone, ship);
        const kind = (await sellers.isTaxOn()) ? { ...shipments, warn: WARN_OF_MONTH } : shipments;
        return importer.run(kind, source, {
          ...options,
          onCompared: async (session, compared) => {
            // The real run compares its rows with those of the check, and retries refused ones.
            await options.onCompared?.(session, compared);
            if (options.dryRun) await dryRunShipments(session, ship, options.actor);
          },
        });
      },
    };
    this.corrections = {
      import: (source, options) => {
        const correct: ApplyToOrders<CorrectedRow> = (transaction, rows, actor) =>
          lifecycle.applyChangesWithin(
            transaction,
            rows.map((row) => toCorrection(row, sharingOptions(options))),
            actor,
          );
        return importer.run(correctionImport(timeZone, correct), source, {
          ...options,
          onCompared: async (session, compared) => {
            await options.onCompared?.(session, compared);
            if (options.dryRun) await dryRunCorrections(session, correct, options.actor);
          },
        });
      },
    };
    const deliveries = deliveryImport(timeZone, (transaction, rows, actor) =>
      reports.record(transaction, rows, actor),
    );
    this.deliveries = { import: (source, options) => importer.run(deliveries, source, options) };
  }
}

const sharingOptions = ({ force }: ImportOptions): TrackingException => ({
  sharedWithOrders: force ? 'any' : undefined,
});
