import { Get, Inject } from '@nestjs/common';
import { RequestFigures } from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { CompanyService } from '../../../modules/company/company.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import { isUnderway } from '../../../modules/payments/rules/payment-status.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import { Firm } from '../../../platform/settings/firm.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addMonths, DAY_MS, monthAt, startOfMonth } from '../../../platform/time/time.js';
import { Passbook } from '../../../modules/wallet/passbook.repository.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { helpPage } from './help-page.js';
import { homePage } from './home-page.js';
import type { SpentInMonth } from './trends.js';

const MAX_ORDERS_PER_CARD = 6;

/** In the plots. */
const TREND_MONTHS = 12;
const TREND_PRODUCTS = 6;

@DashboardPages()
export class HomePageController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly orders: ClientOrdersService,
    private readonly requests: RequestFigures,
    private readonly payments: PaymentHistory,
    private readonly passbook: Passbook,
    private readonly company: CompanyService,
    private readonly firm: Firm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    const { clientId } = me;
    const { months, products, payments, ...data } = await resolveAll({
      client: this.clients.find(clientId),
      overview: this.orders.overview(clientId),
      requests: this.requests.since(clientId, new Date(Date.now() - DAY_MS)),
      due: this.orders.firstDue(clientId, MAX_ORDERS_PER_CARD),
      shipped: this.orders.lastShipped(clientId, MAX_ORDERS_PER_CARD),
      payments: this.payments.recent(clientId),
      ordersNotCovered: this.payments.ordersNotCovered(clientId),
      firstSteps: this.orders.firstSteps(clientId),
      months: this.spentByMonth(clientId),
      products: this.orders.topProducts(clientId, TREND_PRODUCTS),
    });
    const underway = payments.filter(({ status, orders }) => isUnderway(status) && orders > 0);
    const { currency, timeZone } = this.settings;
    const trends = { months, products, timeZone: me.timeZone === timeZone ? undefined : timeZone };
    return homePage({ person: me, mayPay: hasRole(me, 'buyer'), underway, trends, currency, ...data });
  }

  @Get('help')
  async help(): Promise<Page> {
    return helpPage({ contact: await this.company.contact(), firm: this.firm });
  }

  /** The last twelve months including this one, in the time zone of the statements. */
  private async spentByMonth(clientId: number): Promise<SpentInMonth[]> {
    const { timeZone } = this.settings;
    const last = monthAt(Date.now(), timeZone);
    const months = Array.from({ length: TREND_MONTHS }, (_, n) => addMonths(last, n - TREND_MONTHS + 1));
    const times = [...months, addMonths(last, 1)].map((month) => startOfMonth(month, timeZone));
    const spent = await this.passbook.spentBetween(clientId, times);
    return months.map((month, at) => ({ month, spent: spent[at]! }));
  }
}
