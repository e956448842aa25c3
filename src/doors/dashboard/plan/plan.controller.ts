import { Get, Inject, type StreamableFile } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { ClientOrdersService } from '../../../orders/view/client-orders.service.js';
import type { Page } from '../../../pages/page.js';
import { PlanService } from '../../../plans/plan.service.js';
import { PricesToCome } from '../../../plans/prices-to-come.repository.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { csvFile } from '../csv-file.js';
import { DashboardPages } from '../dashboard-pages.js';
import { PRICE_COLUMNS, planPage, priceRow, PRICES_SHOWN } from './plan-page.js';

@DashboardPages('plan')
export class PlanPagesController {
  constructor(
    private readonly plans: PlanService,
    private readonly prices: PricesToCome,
    private readonly orders: ClientOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@CurrentPerson() { clientId }: ClientPerson): Promise<Page> {
    const plan = this.plans.activeView(clientId);
    const [unpaidTotals, toCome] = await Promise.all([
      this.orders.unpaidTotals(clientId),
      plan ? this.prices.ofPlan(plan.id, PRICES_SHOWN + 1) : [],
    ]);
    return planPage({ plan: this.plans.of(clientId), toCome, unpaidTotals, limits: this.settings });
  }

  /** The prices that will change. */
  @Get('prices.csv')
  file(@CurrentPerson() { clientId, timeZone }: ClientPerson): Promise<StreamableFile> {
    const plan = this.plans.activeView(clientId);
    const { prices, settings } = this;
    async function* rows() {
      if (!plan) return;
      for await (const price of prices.allOfPlan(plan.id)) yield priceRow(price, settings.currency, timeZone);
    }
    return csvFile('prices-to-come', PRICE_COLUMNS, rows());
  }
}
