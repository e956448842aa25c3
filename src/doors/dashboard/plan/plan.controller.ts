import { Get, Inject } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { ClientOrdersService } from '../../../orders/view/client-orders.service.js';
import type { Page } from '../../../pages/page.js';
import { PlanService } from '../../../plans/plan.service.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DashboardPages } from '../dashboard-pages.js';
import { planPage } from './plan-page.js';

@DashboardPages('plan')
export class PlanPagesController {
  constructor(
    private readonly plans: PlanService,
    private readonly orders: ClientOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@CurrentPerson() { clientId }: ClientPerson): Promise<Page> {
    const unpaidTotals = await this.orders.unpaidTotals(clientId);
    return planPage({ plan: this.plans.of(clientId), unpaidTotals, limits: this.settings });
  }
}
