import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { CompanyModule } from '../company/company.module.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PicturesModule } from '../pictures/pictures.module.js';
import { StockModule } from '../stock/stock.module.js';
import { TestOrdersModule } from '../test-orders/test-orders.module.js';
import { PackingLinesRepository } from './packing/packing-lines.repository.js';
import { PackingRepository } from './packing/packing.repository.js';
import { PackingService } from './packing/packing.service.js';
import { CourierReportsService } from './parcels/courier-reports.service.js';
import { ParcelFilesService } from './parcels/parcel-files.service.js';
import { PastedParcelsService } from './parcels/pasted-parcels.service.js';
import { OrderReturnsService } from './returns/order-returns.service.js';
import { ReturnWriterService } from './returns/actions/return-writer.service.js';
import { ReturnsRepository } from './returns/returns.repository.js';
import { StoreReturnsService } from './returns/store-returns.service.js';
import { AdminPackingController } from './admin/admin-packing.controller.js';
import { AdminParcelFilesController } from './admin/admin-parcel-files.controller.js';
import { AdminReturnsController } from './admin/admin-returns.controller.js';
import { StoreReturnsController } from './returns/store-returns.controller.js';

/** From a paid order to the customer, and back. */
@Module({
  imports: [
    AuditModule,
    ClientsModule,
    CompanyModule,
    ImportsModule,
    InvoicesModule,
    OrdersModule,
    PicturesModule,
    StockModule,
    TestOrdersModule,
  ],
  controllers: [
    AdminPackingController,
    AdminParcelFilesController,
    AdminReturnsController,
    StoreReturnsController,
  ],
  providers: [
    CourierReportsService,
    OrderReturnsService,
    PackingLinesRepository,
    PackingRepository,
    PackingService,
    ParcelFilesService,
    ReturnsRepository,
    ReturnWriterService,
    PastedParcelsService,
    StoreReturnsService,
  ],
  exports: [
    CourierReportsService,
    OrderReturnsService,
    PackingLinesRepository,
    PackingService,
    ParcelFilesService,
    PastedParcelsService,
    ReturnsRepository,
    StoreReturnsService,
  ],
})
export class FulfilmentModule {}
