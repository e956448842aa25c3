import { Get, Inject } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { ClientOrdersService } from '../../../orders/view/client-orders.service.js';
import type { Page } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { RequestFigures } from '../../../activity/history/request-figures.js';
import { aDayAgo } from '../overview.js';
import { DashboardPages } from '../dashboard-pages.js';
import { homePage } from './home-page.js';

const LISTED = 6;

@DashboardPages()
export class HomePageController {
  constructor(
    private readonly orders: ClientOrdersService,
    private readonly requests: RequestFigures,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@CurrentPerson() person: ClientPerson): Promise<Page> {
    const { clientId } = person;
    const [overview, requests, due, shipped] = await Promise.all([
      this.orders.overview(clientId),
      this.requests.since(clientId, aDayAgo()),
      this.orders.firstDue(clientId, LISTED),
      this.orders.lastShipped(clientId, LISTED),
    ]);
    const mayPay = hasRole(person, 'buyer');
    return homePage({ overview, requests, due, shipped, mayPay, currency: this.settings.currency });
  }
}
