import { Module } from '@nestjs/common';
import { AuthModule } from '../../modules/auth/auth.module.js';
import { ClientsModule } from '../../modules/clients/clients.module.js';
import { PeopleModule } from '../../modules/people/people.module.js';
import { CatalogModule } from '../../modules/catalog/catalog.module.js';
import { InvoicesModule } from '../../modules/invoices/invoices.module.js';
import { NoticesModule } from '../../modules/notices/notices.module.js';
import { FulfilmentModule } from '../../modules/fulfilment/fulfilment.module.js';
import { CompanyModule } from '../../modules/company/company.module.js';
import { OrdersModule } from '../../modules/orders/orders.module.js';
import { GatewayModule } from '../../modules/payments/gateway/gateway.module.js';
import { PaymentsModule } from '../../modules/payments/payments.module.js';
import { PlansModule } from '../../modules/plans/plans.module.js';
import { RequestLogModule } from '../../modules/request-log/request-log.module.js';
import { WalletModule } from '../../modules/wallet/wallet.module.js';
import {
  DashboardLinkController,
  DashboardNoticesController,
  DashboardPeopleController,
  DashboardSecurityController,
  DashboardSignInController,
  DashboardUnknownPageController,
} from './account.controllers.js';
import { ApiAccessController } from './api-access/api-access.controller.js';
import { CatalogPagesController } from './catalog/catalog.controller.js';
import { HomePageController } from './home/home.controller.js';
import { InvoicePagesController } from './invoices/invoices.controller.js';
import { OrderPagesController } from './orders/orders.controller.js';
import { PayPagesController } from './paying/pay.controller.js';
import { PlanPagesController } from './plan/plan.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { OrderEntryPages } from '../shared/order-entry-pages.js';
import { RequestPages } from '../shared/requests/request-pages.js';
import { WalletPagesController } from './wallet/wallet.controller.js';

/** The dashboard of the clients' people. Express tries controllers in order, so the unknown page is last. */
@Module({
  imports: [
    AuthModule,
    ClientsModule,
    PeopleModule,
    CatalogModule,
    InvoicesModule,
    NoticesModule,
    FulfilmentModule,
    CompanyModule,
    OrdersModule,
    GatewayModule,
    PaymentsModule,
    PlansModule,
    RequestLogModule,
    WalletModule,
  ],
  providers: [OrderEntryPages, RequestPages],
  controllers: [
    DashboardSignInController,
    DashboardSecurityController,
    DashboardPeopleController,
    DashboardLinkController,
    HomePageController,
    OrderPagesController,
    PayPagesController,
    CatalogPagesController,
    PlanPagesController,
    WalletPagesController,
    InvoicePagesController,
    ApiAccessController,
    DashboardNoticesController,
    RequestsController,
    DashboardUnknownPageController,
  ],
})
export class DashboardModule {}
