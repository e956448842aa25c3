import { randomUUID } from 'node:crypto';
import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import { ClientDomainsService } from '../../../modules/clients/client-domains.service.js';
import { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import type { OrderFilter } from '../../../modules/orders/records/order-filter.js';
import { LINES_FILE, ORDERS_FILE } from '../../../modules/orders/records/order-record.js';
import { allUnits } from '../../../modules/orders/rules/order-units.js';
import { toInstants } from '../../../shared/ui/components/period-fields.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, type TimeZone } from '../../../platform/time/time.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DELIVERY_FIELDS, quantitiesIn, unitsIn } from '../../shared/order-forms.js';
import { type EntryRequest, OrderEntryPages } from '../../shared/order-entry-pages.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { orderPath, ORDERS } from '../paths.js';
import { cancelPage, clientOrderPage, deliveryPage, returnPage, withdrawalPage } from './order-page.js';
import { LINES_FILE_COLUMNS, lineRows, orderRows, ORDERS_FILE_COLUMNS } from './orders-file.js';
import { ordersPage, readOrdersQuery } from './orders-page.js';

type OrderPageRequest = ClientPageRequest<'number'>;
type ReturnRequest = ClientPageRequest<'number' | 'returned'>;

const readDelivery = readTexts(...DELIVERY_FIELDS, 'corrections');

@DashboardPages()
export class OrderPagesController {
  constructor(
    private readonly orders: ClientOrdersService,
    private readonly returns: OrderReturnsService,
    private readonly payments: PaymentHistory,
    private readonly wallet: WalletService,
    private readonly documents: TaxDocumentsService,
    private readonly sellers: SellersService,
    private readonly domains: ClientDomainsService,
    private readonly entry: OrderEntryPages,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('orders')
  async list(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Page> {
    const { clientId, timeZone } = me;
    const query = readOrdersQuery(fields, await this.domains.ofOrders(clientId));
    const { currency, paymentWindowHours } = this.settings;
    const { selected, mark: after } = query;
    const { sort } = selected;
    const [tally, result] = await Promise.all([
      this.orders.tally(clientId),
      query.list.find((limit) =>
        this.orders.page(clientId, filterOf(selected, timeZone), { after, sort, limit }),
      ),
    ]);
    const mayPay = hasRole(me, 'buyer');
    const today = dayAt(Date.now(), timeZone);
    return ordersPage({ tally, query, result, mayPay, paymentWindowHours, currency, today });
  }

  @Get('orders.csv')
  async file(
    @ClientPageRequest() { owner, me: { clientId, timeZone }, fields }: ClientPageRequest,
  ): Promise<StreamableFile> {
    const query = readOrdersQuery(fields, await this.domains.ofOrders(clientId));
    const filter = filterOf(query.selected, timeZone);
    const today = dayAt(Date.now(), timeZone);
    if (textIn(fields, 'lines') !== 'yes') {
      const rows = orderRows(this.orders.file(ORDERS_FILE, clientId, filter), timeZone);
      return csvResponse(owner, `orders-${today}`, ORDERS_FILE_COLUMNS, rows);
    }
    const rows = lineRows(this.orders.file(LINES_FILE, clientId, filter), timeZone);
    return csvResponse(owner, `order-lines-${today}`, LINES_FILE_COLUMNS, rows);
  }

  @Get('orders/new')
  newOrder(@ClientPageRequest() request: ClientPageRequest): Promise<Page> {
    return this.entry.open(entryOf(request));
  }

  @Post('orders/new')
  @TakesForm({ isLong: true })
  enterOrder(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    return this.entry.submit(entryOf(request));
  }

  @Get('orders/:number')
  async show(@ClientPageRequest() { me, number }: OrderPageRequest): Promise<Page> {
    const { clientId } = me;
    const order = await this.orders.find(clientId, number);
    const { orderNumber } = order;
    const [payments, { available }, documents] = await Promise.all([
      this.payments.ofOrder(clientId, orderNumber),
      this.wallet.funds(clientId),
      this.documents.ofOrder(clientId, orderNumber),
    ]);
    const [mayPay, priceNote] = [hasRole(me, 'buyer'), await this.sellers.priceNote()];
    return clientOrderPage({ order, payments, available, documents, mayPay, priceNote });
  }

  @Get('orders/:number/cancel')
  async cancelForm(@ClientPageRequest() { me, number }: OrderPageRequest): Promise<Page> {
    requireRole(me, 'buyer');
    return cancelPage(await this.orders.find(me.clientId, number));
  }

  @Post('orders/:number/cancel')
  async cancel(@ClientPageRequest() { me, number }: OrderPageRequest): Promise<SeeOther> {
    const { orderNumber } = await this.orders.find(me.clientId, number);
    await this.orders.cancel(me, orderNumber);
    return seeOther(orderPath(orderNumber), `${orderNumber} is cancelled, and its stock is released.`);
  }

  @Get('orders/:number/delivery')
  async deliveryForm(@ClientPageRequest() { me, number }: OrderPageRequest): Promise<Page> {
    requireRole(me, 'buyer');
    return deliveryPage(await this.orders.find(me.clientId, number));
  }

  @PostForm('orders/:number/delivery')
  async changeDelivery(@ClientPageRequest() { me, number, fields }: OrderPageRequest): Promise<Reply> {
    const { corrections, ...delivery } = readDelivery(fields);
    const find = () => this.orders.find(me.clientId, number);
    const { orderNumber } = await find();
    const change = async () => {
      await this.orders.redirect(me, orderNumber, delivery, Number(corrections));
      return seeOther(orderPath(orderNumber), `The delivery of ${orderNumber} is saved.`);
    };
    return submitForm(change, async () => deliveryPage(await find()));
  }

  @Get('orders/:number/return')
  async returnForm(@ClientPageRequest() { me, number }: OrderPageRequest): Promise<Page> {
    requireRole(me, 'buyer');
    return returnPage(await this.orders.find(me.clientId, number), randomUUID());
  }

  @PostForm('orders/:number/return')
  async requestReturn(@ClientPageRequest() { me, number, fields }: OrderPageRequest): Promise<Reply> {
    const quantities = quantitiesIn(fields);
    const form = readTexts('reason', 'note', 'key')(fields);
    requireRole(me, 'buyer');
    const order = await this.orders.find(me.clientId, number);
    const { orderNumber } = order;
    const request = async () => {
      const lines = unitsIn(allUnits(order.items, 'returned'), quantities, { what: 'returned' });
      const returned = await this.returns.requestByClient(me, orderNumber, { ...form, lines });
      return seeOther(orderPath(orderNumber), `The return ${returned} is requested.`);
    };
    const again = () => returnPage(order, form.key);
    return submitForm(request, again);
  }

  @Get('orders/:number/return/:returned/withdraw')
  async withdrawalForm(@ClientPageRequest() { me, number, returned }: ReturnRequest): Promise<Page> {
    requireRole(me, 'buyer');
    const order = await this.orders.find(me.clientId, number);
    const found = order.returns.find(({ returnNumber }) => returnNumber === returned);
    if (!found) throw new DomainError('return_not_found', `The order has no return ${returned}.`);
    return withdrawalPage(order, found);
  }

  @Post('orders/:number/return/:returned/withdraw')
  withdraw(@ClientPageRequest() request: ReturnRequest): Promise<Reply> {
    const { me, number, returned } = request;
    const withdraw = async () => {
      await this.returns.withdrawByClient(me, number, returned);
      return seeOther(orderPath(number), `The return ${returned} is withdrawn.`);
    };
    return submitForm(withdraw, () => this.withdrawalForm(request));
  }
}

function entryOf({ me, fields }: ClientPageRequest): EntryRequest {
  requireRole(me, 'buyer');
  const back = { href: ORDERS, text: 'Orders' };
  return { me, clientId: me.clientId, fields, title: 'New order', back, orderPath };
}

type OrderListFilter = ReturnType<typeof readOrdersQuery>['selected'];

function filterOf({ group, search, domain, ...period }: OrderListFilter, timeZone: TimeZone): OrderFilter {
  return { ...(group !== 'all' && { group }), search, domain, ...toInstants(period, timeZone) };
}
