import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ExportReader, ExportRoute, type ExportTarget } from '../../../shared/imports/admin/export-route.js';
import { Force, ImportQuery } from '../../../shared/imports/admin/import-query.js';
import { ImportRoute } from '../../../shared/imports/admin/import-route.js';
import {
  FileBody,
  type UploadedFile,
  UploadedFilesService,
} from '../../../shared/imports/admin/uploaded-files.service.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { OrderExportQuery, toOrderFilter } from '../../orders/admin/order-lists.dto.js';
import { PackingService } from '../packing/packing.service.js';
import { ParcelFilesService } from '../parcels/parcel-files.service.js';
import { OrderReturnsService } from '../returns/order-returns.service.js';

class CorrectionImportQuery extends ImportQuery {
  @Force('tracking numbers of other orders: one parcel holds both') force?: boolean;
}

class ShipmentImportQuery extends CorrectionImportQuery {
  @OptionalBooleanParameter({
    description: 'Also ships orders that were changed after their slips were printed.',
    example: true,
  })
  old_slips?: boolean;
}

const COLUMNS = 'order_number, courier, tracking_number, tracking_url, shipped_at';

@ApiTags('Shipments and returns')
@Controller('api/admin')
export class AdminParcelFilesController {
  constructor(
    private readonly uploads: UploadedFilesService,
    private readonly parcels: ParcelFilesService,
    private readonly returns: OrderReturnsService,
    private readonly packing: PackingService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @ImportRoute({
    name: 'shipments',
    role: 'packer',
    operationId: 'importShipments',
    summary: 'Records the parcels of a file. Their goods leave the stock: some lines, or all that are left.',
    columns: `${COLUMNS}, without_irn, lines such as "1=2 2=1"; the last five may be missing or empty`,
    command: 'shipment import',
  })
  shipments(
    @FileBody() file: UploadedFile,
    @ValidQuery() query: ShipmentImportQuery,
  ): Promise<StreamableFile> {
    return this.uploads.import(this.parcels.shipments, file, query);
  }

  @ImportRoute({
    name: 'shipment-corrections',
    role: 'packer',
    operationId: 'importShipmentCorrections',
    summary: 'Corrects courier, tracking and time of parcels. The timeline keeps the old values.',
    columns: `${COLUMNS}, parcel; the last four may be missing or empty; empty cells change nothing`,
    command: 'shipment correct',
  })
  corrections(
    @FileBody() file: UploadedFile,
    @ValidQuery() query: CorrectionImportQuery,
  ): Promise<StreamableFile> {
    return this.uploads.import(this.parcels.corrections, file, query);
  }

  @ImportRoute({
    name: 'deliveries',
    role: 'packer',
    operationId: 'importDeliveries',
    summary: 'Records what the courier reports: deliveries, RTO and lost parcels.',
    columns:
      'order_number or tracking_number, and parcel, status, delivered_at; without the column status each ' +
      'row is a delivery',
    command: 'shipment deliver',
  })
  deliveries(@FileBody() file: UploadedFile, @ValidQuery() query: ImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.parcels.deliveries, file, query);
  }

  @ImportRoute({
    name: 'returns',
    role: 'staff',
    operationId: 'importReturns',
    summary: 'Records the returns of a file. A row that was imported before changes nothing.',
    columns: 'order_number, lines, reason, note; the last may be missing or empty; lines are such as 1=2 3=1',
    command: 'return import',
  })
  returnRequests(@FileBody() file: UploadedFile, @ValidQuery() query: ImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.returns.files, file, query);
  }

  @ExportRoute({
    name: 'orders',
    operationId: 'exportOrders',
    summary: 'Writes the lines of orders: a row for each, with address and shelf. Pending orders by default.',
    command: 'order export',
  })
  async orders(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel, status = 'pending', ...query }: OrderExportQuery,
  ): Promise<StreamableFile> {
    const clientId = await this.clients.findForFilter(query.client);
    const filter = { ...toOrderFilter(query, clientId, this.settings.timeZone), status };
    const { columns, rows } = await this.packing.exportOrders(filter);
    return exportResponse({ ...target, excel }, 'orders', columns, rows);
  }
}
