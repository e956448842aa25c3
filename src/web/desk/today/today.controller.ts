import { Get, Inject } from '@nestjs/common';
import { StoreIssues } from '../../../modules/request-log/kept-requests/store-issues.repository.js';
import { ProductSearch } from '../../../modules/catalog/product-search.repository.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { SubscriptionAdministrationService } from '../../../modules/clients/subscription-administration.service.js';
import { ReturnsRepository } from '../../../modules/fulfilment/returns/returns.repository.js';
import { CompanyService } from '../../../modules/company/company.service.js';
import { JobFailures } from '../../../modules/notices/job-failures.repository.js';
import { ImportRuns } from '../../../shared/imports/import-runs.service.js';
import { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { OrderDeskRepository } from '../../../modules/orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../../modules/orders/records/order-desk.service.js';
import { MailDesk } from '../../../shared/mail/mail-desk.service.js';
import { toInstants } from '../../../shared/ui/components/period-fields.js';
import type { Page } from '../../../shared/ui/page.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { PeopleListService } from '../../../modules/people/people-list.service.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import {
  type BoundedCount,
  firstRows,
  MAX_COUNTED,
  onePage,
  sumOfCounts,
  toBoundedCount,
} from '../../../platform/lists/bounded-lists.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addDays, DAY_MS, dayAt } from '../../../platform/time/time.js';
import { SalesService } from '../../../modules/sales/sales.service.js';
import { StockAdministration } from '../../../modules/stock/stock-administration.service.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { presetsOn } from '../reports/report-page.js';
import { type SetupProgress, type Sales, todayPage } from './today-page.js';

/** The lists of the page stay short; each links to its whole. */
const MAX_ROWS = 8;

/** These lists have no page of their own. */
const MAX_EXCEPTIONS = 100;

const NO_FAILURES = toBoundedCount(0);

@DeskPages()
export class TodayController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly accounts: OrderDeskRepository,
    private readonly sales: SalesService,
    private readonly payments: PaymentDeskService,
    private readonly stock: StockAdministration,
    private readonly imports: ImportRuns,
    private readonly storeIssues: StoreIssues,
    private readonly clients: ClientAdministrationService,
    private readonly eInvoices: EInvoicesService,
    private readonly eWayBills: EWayBillsService,
    private readonly sellers: SellersService,
    private readonly people: PeopleListService,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly products: ProductSearch,
    private readonly company: CompanyService,
    private readonly returns: ReturnsRepository,
    private readonly jobFailures: JobFailures,
    private readonly mail: MailDesk,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async today(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    const common = await resolveAll({
      me,
      orders: this.orders.toDo(),
      late: this.orders.count(this.orders.filterOf('late')),
      eWayBills: this.eWayBills.countWaiting(),
      first: this.orders.firstToShip(MAX_ROWS),
      exceptions: this.orders.parcelExceptions(MAX_EXCEPTIONS),
    });
    if (!may(me, 'see sales and problems')) return todayPage(common);
    const steps = await this.firstSteps(me);
    const maxRefusals = fields.refusals === 'all' ? MAX_EXCEPTIONS : MAX_ROWS;
    const yesterday = new Date(Date.now() - DAY_MS);
    const staff = await resolveAll({
      toRefund: this.returns.toRefund(MAX_EXCEPTIONS + 1).then((rows) => onePage(rows, MAX_EXCEPTIONS)),
      accounts: this.accounts.accountTotals(),
      unbilled: this.sellers.listUnbillable(MAX_ROWS),
      untaxed: this.sellers.isTaxOn().then((isOn) => (isOn ? this.products.countUntaxed() : 0)),
      eInvoices: this.eInvoices.countLate(),
      payments: this.payments.count(),
      refusals: this.storeIssues
        .refusals(yesterday, maxRefusals + 1)
        .then((rows) => onePage(rows, maxRefusals)),
      stores: this.storeIssues.stores(MAX_ROWS),
      low: firstRows(this.stock.low(undefined, MAX_ROWS)),
      imports: this.imports.failed(),
      failures: may(me, 'change settings') ? this.countFailures(yesterday) : NO_FAILURES,
      sales: this.recentSales(),
      hasGateway: this.settings.paymentGateway.name !== 'none',
      yesterday: addDays(dayAt(Date.now(), this.settings.timeZone), -1),
    });
    return todayPage({ ...common, steps, staff });
  }

  private async countFailures(since: Date): Promise<BoundedCount> {
    const [jobs, mails] = await Promise.all([
      this.jobFailures.recent(),
      this.mail.listUnsent(since, MAX_COUNTED + 1),
    ]);
    return sumOfCounts([toBoundedCount(jobs.length), toBoundedCount(mails.length)]);
  }

  /** The setup steps, for admins before the first order. */
  private async firstSteps(me: DeskPerson): Promise<SetupProgress | undefined> {
    const newest = { after: undefined, sort: 'newest', limit: 1 } as const;
    if (!may(me, 'change settings') || (await this.orders.page({}, newest)).length > 0) return undefined;
    return resolveAll({
      ...(this.settings.tax === 'gst' && { hasSeller: this.sellers.isTaxOn() }),
      isReachable: this.company.show().then(({ contact }) => contact !== ''),
      hasPlan: this.subscriptions.plans().then((plans) => plans.length > 0),
      hasProduct: this.products.count({}).then(({ count }) => count > 0),
      hasColleague: this.people.of(null).then((people) => people.length > 1),
      hasClient: this.clients.list({}, 1).then((clients) => clients.length > 0),
    });
  }

  /** The same figures as in the report of the last 30 days. */
  private async recentSales(): Promise<Sales> {
    const { timeZone, currency } = this.settings;
    const [days] = presetsOn(dayAt(Date.now(), timeZone));
    const query = { by: 'day', from: days.from, to: days.to, clientId: undefined } as const;
    return { report: await this.sales.report('day', toInstants(days, timeZone)), query, currency };
  }
}
