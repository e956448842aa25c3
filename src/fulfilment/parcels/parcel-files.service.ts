import { Inject, Injectable } from '@nestjs/common';
import type { ImportKind } from '../../imports/import-kind.js';
import { Importer } from '../../imports/importer.service.js';
import type { RecordImport } from '../../imports/record-source.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { OrderCorrectionsService } from '../../orders/lifecycle/order-corrections.service.js';
import { OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { ActOnOrders } from '../order-imports.js';
import { correctionImport, known } from './correction-import.js';
import { deliveryImport, toDelivered } from './delivery-import.js';
import { rehearse, shipmentImport, type ShippedRow, toShipped, WARN_OF_MONTH } from './shipment-import.js';

/** RecordImport of couriers: shipments, corrections of shipments, and deliveries. */
@Injectable()
export class ParcelFilesService {
  readonly shipments: RecordImport;
  /** Changes shipped orders. An empty cell keeps the stored value. */
  readonly corrections: RecordImport;
  readonly deliveries: RecordImport;

  constructor(
    importer: Importer,
    lifecycle: OrderLifecycleService,
    corrections: OrderCorrectionsService,
    sellers: SellersService,
    @Inject(SETTINGS) { timeZone }: Settings,
  ) {
    const filesOf = <Column extends string, Of extends string>(
      kind: ImportKind<Column, Of>,
    ): RecordImport => ({ import: (source, options) => importer.run(kind, source, options) });
    const ship: ActOnOrders<ShippedRow> = (transaction, rows, actor) =>
      lifecycle.changeWithin(transaction, rows.map(toShipped), actor);
    const shipments = shipmentImport(timeZone, ship);
    this.shipments = {
      import: async (source, options) => {
        const kind = (await sellers.isTaxOn()) ? { ...shipments, warn: WARN_OF_MONTH } : shipments;
        return importer.run(kind, source, {
          ...options,
          onCompared: async (session, compared) => {
            // An application compares its rows with those of the check, and tries refused ones again.
            await options.onCompared?.(session, compared);
            if (options.dryRun) await rehearse(session, ship, options.actor);
          },
        });
      },
    };
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
