import { randomUUID } from 'node:crypto';
import { Get, Inject, Param, Post, type StreamableFile } from '@nestjs/common';
import { type ClientPerson, hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import { allUnits } from '../../../orders/rules/order-units.js';
import { OrderReturnsService } from '../../../fulfilment/returns/order-returns.service.js';
import { ClientOrdersService } from '../../../orders/records/client-orders.service.js';
import { LINES_FILE, ORDERS_FILE } from '../../../orders/records/order-view.js';
import { orAgain, readTexts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PaymentHistory } from '../../../payments/payment-history.repository.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/read-by.decorators.js';
import { WalletService } from '../../../wallet/wallet.service.js';
import { csvFile } from '../../shared/file-answer.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { DashboardPages } from '../dashboard-pages.js';
import { orderPath } from '../paths.js';
import { DELIVERY_FIELDS, unitsIn } from '../../shared/order-forms.js';
import { readReturnForm, type ReturnForm, returnPage } from './after-sale.js';
import { cancelPage, clientOrderPage, deliveryPage } from './order-page.js';
import { ordersPage } from './orders-page.js';
import { LINES_FILE_COLUMNS, lineRows, orderRows, ORDERS_FILE_COLUMNS } from './orders-file.js';
import { filterOf, type OrdersQuery, readOrdersQuery } from './orders-query.js';

const readDelivery = readTexts(...DELIVERY_FIELDS, 'corrections');

@DashboardPages()
export class OrderPagesController {
  constructor(
    private readonly orders: ClientOrdersService,
    private readonly returns: OrderReturnsService,
    private readonly payments: PaymentHistory,
    private readonly wallet: WalletService,
    private readonly documents: TaxDocumentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('orders')
  async list(
    @Me() person: ClientPerson,
    @QueryReadBy(readOrdersQuery) { chosen, place }: OrdersQuery,
  ): Promise<Page> {
    const { clientId, timeZone } = person;
    const { currency, paymentWindowHours } = this.settings;
    const { sort = 'newest' } = chosen;
    const [tally, page] = await Promise.all([
      this.orders.tally(clientId),
      this.orders.page(clientId, filterOf(chosen, timeZone), { ...place, sort }),
    ]);
    const mayPay = hasRole(person, 'buyer');
    const today = dayAt(Date.now(), timeZone);
    return ordersPage({ tally, page, chosen, place, mayPay, paymentWindowHours, currency, today });
  }

  @Get('orders.csv')
  file(
    @Me() { clientId, timeZone }: ClientPerson,
    @QueryReadBy(readOrdersQuery) { chosen, withLines }: OrdersQuery,
  ): Promise<StreamableFile> {
    const filter = filterOf(chosen, timeZone);
    const today = dayAt(Date.now(), timeZone);
    if (!withLines) {
      const rows = orderRows(this.orders.file(ORDERS_FILE, clientId, filter), timeZone);
      return csvFile(`orders-${today}`, ORDERS_FILE_COLUMNS, rows);
    }
    const rows = lineRows(this.orders.file(LINES_FILE, clientId, filter), timeZone);
    return csvFile(`order-lines-${today}`, LINES_FILE_COLUMNS, rows);
  }

  @Get('orders/:number')
  async show(@Me() person: ClientPerson, @Param('number') number: string): Promise<Page> {
    const { clientId } = person;
    const order = await this.orders.find(clientId, number);
    const { orderNumber } = order;
    const [payments, { available }, documents] = await Promise.all([
      this.payments.ofOrder(clientId, orderNumber),
      this.wallet.funds(clientId),
      this.documents.ofOrder(clientId, orderNumber),
    ]);
    return clientOrderPage({ order, payments, available, documents, mayPay: hasRole(person, 'buyer') });
  }

  @Get('orders/:number/cancel')
  async askToCancel(@Me() person: ClientPerson, @Param('number') number: string): Promise<Page> {
    requireRole(person, 'buyer');
    return cancelPage(await this.orders.find(person.clientId, number));
  }

  @Post('orders/:number/cancel')
  async cancel(@Me() person: ClientPerson, @Param('number') number: string): Promise<SeeOther> {
    const { orderNumber } = await this.orders.find(person.clientId, number);
    await this.orders.cancel(person, orderNumber);
    return seeOther(orderPath(orderNumber), `${orderNumber} is cancelled, and its stock is released.`);
  }

  @Get('orders/:number/delivery')
  async askDelivery(@Me() person: ClientPerson, @Param('number') number: string): Promise<Page> {
    requireRole(person, 'buyer');
    return deliveryPage(await this.orders.find(person.clientId, number));
  }

  @PostForm('orders/:number/delivery')
  async changeDelivery(
    @Me() person: ClientPerson,
    @Param('number') number: string,
    @BodyReadBy(readDelivery) { corrections, ...delivery }: ReturnType<typeof readDelivery>,
  ): Promise<Reply> {
    const find = () => this.orders.find(person.clientId, number);
    const { orderNumber } = await find();
    const changed = async () => {
      await this.orders.redirect(person, orderNumber, delivery, Number(corrections));
      return seeOther(orderPath(orderNumber), `The delivery of ${orderNumber} is saved.`);
    };
    return orAgain(changed, async () => deliveryPage(await find()), 'conflict', 'illegal_transition');
  }

  @Get('orders/:number/return')
  async askReturn(@Me() person: ClientPerson, @Param('number') number: string): Promise<Page> {
    requireRole(person, 'buyer');
    return returnPage(await this.orders.find(person.clientId, number), randomUUID());
  }

  @PostForm('orders/:number/return')
  async requestReturn(
    @Me() person: ClientPerson,
    @Param('number') number: string,
    @BodyReadBy(readReturnForm) { quantities, ...form }: ReturnForm,
  ): Promise<Reply> {
    requireRole(person, 'buyer');
    const order = await this.orders.find(person.clientId, number);
    const { orderNumber } = order;
    const requested = async () => {
      const lines = unitsIn(allUnits(order.items, 'returned'), quantities, { what: 'returned' });
      const returned = await this.returns.requestByClient(person, orderNumber, { ...form, lines });
      return seeOther(orderPath(orderNumber), `The return ${returned} is requested.`);
    };
    return orAgain(
      requested,
      () => returnPage(order, form.key),
      'conflict',
      'illegal_transition',
      'invalid_value',
    );
  }
}
