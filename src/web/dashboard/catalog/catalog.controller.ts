import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { CatalogBrowser, PRICE_LIST_COLUMNS } from '../../../modules/catalog/catalog-browser.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { PlanService } from '../../../modules/plans/plan.service.js';
import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { PlanView } from '../../../read-model/products/plan-view.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { catalogPage, productPage, readCatalogQuery, withoutPlanPage } from './catalog-pages.js';

/** The catalog at the client's prices. */
@DashboardPages()
export class CatalogPagesController {
  constructor(
    private readonly catalog: CatalogBrowser,
    private readonly plans: PlanService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('catalog')
  async list(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Page> {
    const plan = this.plans.activeView(me.clientId);
    if (!plan) return withoutPlanPage();
    const { filter, after } = readCatalogQuery(fields);
    const page = await this.catalog.page(plan, filter, after);
    const priceNote = await this.sellers.priceNote();
    return catalogPage({ page, filter, after, plan: plan.name, currency: this.settings.currency, priceNote });
  }

  @Get('catalog.csv')
  file(@ClientPageRequest() { owner, me }: ClientPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'catalog', PRICE_LIST_COLUMNS, this.catalog.priceList(this.planOf(me)));
  }

  @Get('catalog/:sku')
  async product(@ClientPageRequest() { me, sku }: ClientPageRequest<'sku'>): Promise<Page> {
    return productPage({
      product: this.catalog.product(this.planOf(me), sku),
      currency: this.settings.currency,
      priceNote: await this.sellers.priceNote(),
      mayOrder: hasRole(me, 'buyer'),
    });
  }

  private planOf({ clientId }: ClientPerson): PlanView {
    const plan = this.plans.activeView(clientId);
    if (plan) return plan;
    throw new DomainError('subscription_inactive', 'You need an active subscription to see prices.');
  }
}
