import { Module } from '@nestjs/common';
import { RequestLogModule } from '../../modules/request-log/request-log.module.js';
import { AuditModule } from '../../modules/audit/audit.module.js';
import { AuthModule } from '../../modules/auth/auth.module.js';
import { CatalogModule } from '../../modules/catalog/catalog.module.js';
import { ClientsModule } from '../../modules/clients/clients.module.js';
import { FulfilmentModule } from '../../modules/fulfilment/fulfilment.module.js';
import { CompanyModule } from '../../modules/company/company.module.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { MailModule } from '../../shared/mail/mail.module.js';
import { InvoicesModule } from '../../modules/invoices/invoices.module.js';
import { NoticesModule } from '../../modules/notices/notices.module.js';
import { NotesModule } from '../../modules/notes/notes.module.js';
import { OrderedGoodsModule } from '../../modules/orders/ordered-goods.module.js';
import { OrdersModule } from '../../modules/orders/orders.module.js';
import { PaymentsModule } from '../../modules/payments/payments.module.js';
import { PeopleModule } from '../../modules/people/people.module.js';
import { PlansModule } from '../../modules/plans/plans.module.js';
import { SalesModule } from '../../modules/sales/sales.module.js';
import { StockModule } from '../../modules/stock/stock.module.js';
import { WalletModule } from '../../modules/wallet/wallet.module.js';
import { OrderEntryPages } from '../shared/order-entry-pages.js';
import { RequestPages } from '../shared/requests/request-pages.js';
import {
  DeskLinkController,
  DeskNoticesController,
  DeskPeopleController,
  DeskSecurityController,
  DeskSignInController,
  DeskUnknownPageController,
} from './account.controllers.js';
import { AuditController } from './audit/audit.controller.js';
import { ClientPeopleController } from './clients/client-people.controller.js';
import { ClientRequestsController } from './clients/client-requests.controller.js';
import { ClientWalletController } from './clients/client-wallet.controller.js';
import { ClientsController } from './clients/clients.controller.js';
import { ClientTokensController } from './clients/tokens.controller.js';
import { EWayBillsController } from './e-way-bills/e-way-bills.controller.js';
import { GoodsController } from './goods/goods.controller.js';
import { PicturesUploadController } from './goods/pictures.controller.js';
import { PricesController } from './goods/prices.controller.js';
import { ImportKinds } from './imports/import-kinds.js';
import { ImportsController } from './imports/imports.controller.js';
import { BooksController } from './money/books.controller.js';
import { PaymentsPagesController } from './money/payments.controller.js';
import { TransfersController } from './money/transfers.controller.js';
import { NotesController } from './notes/notes.controller.js';
import { DeskOrdersController } from './orders/orders.controller.js';
import { PackingController } from './packing/packing.controller.js';
import { ReportPagesController } from './reports/reports.controller.js';
import { ReturnsController } from './returns/returns.controller.js';
import { SearchController } from './search/search.controller.js';
import { AdminKeysController } from './settings/keys.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { TodayController } from './today/today.controller.js';

/** The pages of the wholesaler's people. Express tries controllers in order, so the unknown page is last. */
@Module({
  imports: [
    RequestLogModule,
    AuditModule,
    AuthModule,
    ClientsModule,
    NoticesModule,
    PeopleModule,
    CatalogModule,
    ImportsModule,
    MailModule,
    InvoicesModule,
    OrderedGoodsModule,
    FulfilmentModule,
    SalesModule,
    CompanyModule,
    NotesModule,
    OrdersModule,
    PaymentsModule,
    PlansModule,
    StockModule,
    WalletModule,
  ],
  providers: [ImportKinds, OrderEntryPages, RequestPages],
  controllers: [
    DeskSignInController,
    DeskSecurityController,
    DeskPeopleController,
    DeskNoticesController,
    DeskLinkController,
    TodayController,
    AdminKeysController,
    SettingsController,
    SearchController,
    DeskOrdersController,
    PackingController,
    ReturnsController,
    NotesController,
    ImportsController,
    GoodsController,
    PicturesUploadController,
    PricesController,
    ClientsController,
    ClientTokensController,
    ClientWalletController,
    ClientRequestsController,
    ClientPeopleController,
    TransfersController,
    PaymentsPagesController,
    BooksController,
    EWayBillsController,
    ReportPagesController,
    AuditController,
    DeskUnknownPageController,
  ],
})
export class DeskModule {}
