import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { TAX_NAMES } from '../../../modules/clients/client-fields.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { submitForm, readTexts } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PlanService } from '../../../modules/plans/plan.service.js';
import { PricesToCome } from '../../../modules/plans/prices-to-come.repository.js';
import { hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { PLAN } from '../paths.js';
import { billingPage, planPage, PRICE_COLUMNS, priceRow, MAX_VISIBLE_PRICES } from './plan-page.js';

@DashboardPages('plan')
export class PlanPagesController {
  constructor(
    private readonly plans: PlanService,
    private readonly prices: PricesToCome,
    private readonly orders: ClientOrdersService,
    private readonly clients: ClientAdministrationService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    const { clientId } = me;
    const plan = this.plans.activeView(clientId);
    const [unpaidTotals, futurePrices, billing] = await Promise.all([
      this.orders.account(clientId),
      plan ? this.prices.ofPlan(plan.id, MAX_VISIBLE_PRICES + 1) : [],
      this.sellers.isTaxOn().then((isOn) => (isOn ? this.clients.find(clientId) : undefined)),
    ]);
    const plans = { plan: this.plans.of(clientId), futurePrices };
    return planPage({
      ...plans,
      priceNote: await this.sellers.priceNote(),
      billing,
      lacked: billing && (await this.sellers.missingDataOf(billing)),
      canChangeBilling: hasRole(me, 'owner'),
      unpaidTotals,
      limits: this.settings,
    });
  }

  @Get('billing')
  async billingForm(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    if (!(await this.sellers.isTaxOn())) throw new DomainError('route_not_found', 'There is no such page.');
    return billingPage({ client: await this.clients.find(me.clientId), settings: this.settings });
  }

  @PostForm('billing')
  async setBilling(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const page = await this.billingForm(request);
    const { shown: reviewedState, ...change } = readTexts(...TAX_NAMES, 'shown')(request.fields);
    const set = async () => {
      await this.clients.setOwn(request.me, change, reviewedState);
      return seeOther(PLAN, 'The billing details are saved. New invoices show them.');
    };
    return submitForm(set, () => page);
  }

  /** The prices that will change. */
  @Get('prices.csv')
  file(
    @ClientPageRequest() { owner, me: { clientId, timeZone } }: ClientPageRequest,
  ): Promise<StreamableFile> {
    const plan = this.plans.activeView(clientId);
    const { prices, sellers, settings } = this;
    async function* rows() {
      if (!plan) return;
      const unit = settings.currency + (await sellers.priceNote());
      for await (const price of prices.allOfPlan(plan.id)) yield priceRow(price, unit, timeZone);
    }
    return csvResponse(owner, 'prices-to-come', PRICE_COLUMNS, rows());
  }
}
