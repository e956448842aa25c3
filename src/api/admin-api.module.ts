import { Module } from '@nestjs/common';
import { AuditModule } from '../modules/audit/audit.module.js';
import { AdminTokensController } from '../modules/auth/admin/admin-tokens.controller.js';
import { AuthModule } from '../modules/auth/auth.module.js';
import { AdminCatalogFilesController } from '../modules/catalog/admin/admin-catalog-files.controller.js';
import { CatalogModule } from '../modules/catalog/catalog.module.js';
import { AdminClientsController } from '../modules/clients/admin/admin-clients.controller.js';
import { AdminPlansController } from '../modules/clients/admin/admin-plans.controller.js';
import { ClientsModule } from '../modules/clients/clients.module.js';
import { AdminPackingController } from '../modules/fulfilment/admin/admin-packing.controller.js';
import { AdminParcelFilesController } from '../modules/fulfilment/admin/admin-parcel-files.controller.js';
import { AdminReturnsController } from '../modules/fulfilment/admin/admin-returns.controller.js';
import { FulfilmentModule } from '../modules/fulfilment/fulfilment.module.js';
import { AdminDocumentFilesController } from '../modules/invoices/admin/admin-document-files.controller.js';
import { AdminDocumentsController } from '../modules/invoices/admin/admin-documents.controller.js';
import { AdminGstReportController } from '../modules/invoices/admin/admin-gst-report.controller.js';
import { AdminSellerController } from '../modules/invoices/admin/admin-seller.controller.js';
import { InvoicesModule } from '../modules/invoices/invoices.module.js';
import { AdminMailController } from '../modules/notices/admin/admin-mail.controller.js';
import { AdminStatementMailsController } from '../modules/notices/admin/admin-statement-mails.controller.js';
import { NoticesModule } from '../modules/notices/notices.module.js';
import { AdminClientAccountsController } from '../modules/orders/admin/admin-client-accounts.controller.js';
import { AdminEWayBillFileController } from '../modules/orders/admin/admin-e-way-bill-file.controller.js';
import { AdminOrdersController } from '../modules/orders/admin/admin-orders.controller.js';
import { AdminProductsController } from '../modules/orders/admin/admin-products.controller.js';
import { AdminStockController } from '../modules/orders/admin/admin-stock.controller.js';
import { AdminStockFilesController } from '../modules/orders/admin/admin-stock-files.controller.js';
import { OrderedGoodsModule } from '../modules/orders/ordered-goods.module.js';
import { OrdersModule } from '../modules/orders/orders.module.js';
import { AdminPaymentsController } from '../modules/payments/admin/admin-payments.controller.js';
import { AdminTransfersController } from '../modules/payments/admin/admin-transfers.controller.js';
import { AdminWalletReportsController } from '../modules/payments/admin/admin-wallet-reports.controller.js';
import { AdminWalletsController } from '../modules/payments/admin/admin-wallets.controller.js';
import { PaymentsModule } from '../modules/payments/payments.module.js';
import { AdminAuditController } from '../modules/people/admin/admin-audit.controller.js';
import { AdminPeopleController } from '../modules/people/admin/admin-people.controller.js';
import { PeopleModule } from '../modules/people/people.module.js';
import { AdminPriceChangesController } from '../modules/plans/admin/admin-price-changes.controller.js';
import { AdminPriceFilesController } from '../modules/plans/admin/admin-price-files.controller.js';
import { AdminPriceHistoryController } from '../modules/plans/admin/admin-price-history.controller.js';
import { PlansModule } from '../modules/plans/plans.module.js';
import { AdminOrderTotalsController } from '../modules/sales/admin/admin-order-totals.controller.js';
import { AdminSalesExportController } from '../modules/sales/admin/admin-sales-export.controller.js';
import { AdminSalesReportsController } from '../modules/sales/admin/admin-sales-reports.controller.js';
import { SalesModule } from '../modules/sales/sales.module.js';
import { StockModule } from '../modules/stock/stock.module.js';
import { WalletModule } from '../modules/wallet/wallet.module.js';
import { ImportsModule } from '../shared/imports/imports.module.js';
import { MailModule } from '../shared/mail/mail.module.js';

/** The routes for programs of the wholesaler. */
@Module({
  imports: [
    AuditModule,
    AuthModule,
    CatalogModule,
    ClientsModule,
    FulfilmentModule,
    ImportsModule,
    InvoicesModule,
    MailModule,
    NoticesModule,
    OrderedGoodsModule,
    OrdersModule,
    PaymentsModule,
    PeopleModule,
    PlansModule,
    SalesModule,
    StockModule,
    WalletModule,
  ],
  controllers: [
    AdminAuditController,
    AdminCatalogFilesController,
    AdminClientAccountsController,
    AdminClientsController,
    AdminDocumentFilesController,
    AdminDocumentsController,
    AdminEWayBillFileController,
    AdminGstReportController,
    AdminMailController,
    // Totals stand before the routes of one order.
    AdminOrderTotalsController,
    AdminOrdersController,
    AdminPackingController,
    AdminParcelFilesController,
    AdminPaymentsController,
    AdminPeopleController,
    AdminPlansController,
    AdminPriceChangesController,
    AdminPriceFilesController,
    AdminPriceHistoryController,
    AdminProductsController,
    AdminReturnsController,
    AdminSalesExportController,
    AdminSalesReportsController,
    AdminSellerController,
    AdminStatementMailsController,
    AdminStockController,
    AdminStockFilesController,
    AdminTokensController,
    AdminTransfersController,
    AdminWalletReportsController,
    AdminWalletsController,
  ],
})
export class AdminApiModule {}
