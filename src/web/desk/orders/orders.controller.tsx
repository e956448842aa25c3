import { randomUUID } from 'node:crypto';
import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { packedUnits } from '../../../modules/fulfilment/packing/pack-goods.js';
import { CourierReportsService } from '../../../modules/fulfilment/parcels/courier-reports.service.js';
import { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { InvoicingService } from '../../../modules/invoices/invoicing.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { noteSubject, NotesService } from '../../../modules/notes/notes.service.js';
import { MAX_SHARING_ORDERS } from '../../../modules/orders/lifecycle/shared-tracking.repository.js';
import { noSuchOrder } from '../../../modules/orders/order-errors.js';
import {
  ORDER_EXPORT_COLUMNS,
  type OrderExportRow,
} from '../../../modules/orders/records/order-desk.repository.js';
import { type DeskOrderPage, OrderDeskService } from '../../../modules/orders/records/order-desk.service.js';
import { normaliseOrderNumber } from '../../../modules/orders/rules/order-number.js';
import { allUnits, type LineQuantity } from '../../../modules/orders/rules/order-units.js';
import { DownloadLink } from '../../../shared/ui/components/controls.js';
import { toInstants } from '../../../shared/ui/components/period-fields.js';
import { textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import { type DeskPerson, may, requireRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { NO_ROWS } from '../../../platform/lists/bounded-lists.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, plainTime, type TimeZone } from '../../../platform/time/time.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { unavailablePage } from '../../shared/form-page.js';
import { quantitiesIn, UnitFields, unitsIn } from '../../shared/order-forms.js';
import { type Action, type Review, reviewedForm, reviewPage, takeStep } from '../action.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { acceptedIn, referenceWarnings } from '../money/reference-warnings.js';
import { withNotes } from '../notes/notes-card.js';
import { orderPath, ORDERS, packingPath, SEARCH } from '../paths.js';
import {
  type ActionServices,
  type ActionRequest,
  contentsIn,
  listIn,
  type OrderPageAction,
  parcelIn,
} from './action-shape.js';
import { type ActionName, ACTIONS } from './order-actions.js';
import { deskOrderPage } from './order-page.js';
import { bulkActionBar, ORDER_LISTS, ordersHead, sortOf } from './orders-page.js';

type One = DeskPageRequest<'number'>;
type Act = DeskPageRequest<'number' | 'action'>;

@DeskPages('orders')
export class DeskOrdersController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly reports: CourierReportsService,
    private readonly returns: OrderReturnsService,
    private readonly payments: PaymentHistory,
    private readonly documents: TaxDocumentsService,
    private readonly invoicing: InvoicingService,
    private readonly eInvoices: EInvoicesService,
    private readonly eWayBills: EWayBillsService,
    private readonly sellers: SellersService,
    private readonly clients: ClientFinderService,
    private readonly notes: NotesService,
    private readonly wallets: WalletService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const list = ORDER_LISTS[me.role];
    const query = list.read(fields);
    const { status, search, from, to, client: named } = query.selected;
    const number = normaliseOrderNumber(search ?? '');
    if (number !== null && (await this.findVisible(me, number).catch(ifUnknown)))
      return seeOther(orderPath(number));
    const { clientId, refusal } = await this.clients.resolveFilter(named);
    const filter = { ...this.filterOf(query.selected, me), clientId };
    const sort = sortOf(query.selected);
    const count = (tab: typeof status) => this.orders.count({ ...this.orders.filterOf(tab), clientId });
    const [found, counts, shipped, late, notArriving, partly] = await Promise.all([
      refusal !== undefined
        ? NO_ROWS
        : list.find((limit) => this.orders.page(filter, { after: query.mark, sort, limit })),
      this.orders.counts(clientId),
      count('shipped'),
      count('late'),
      count('not_arriving'),
      // Reads all orders to ship, so only for its own tab.
      status === 'partly' && count(status),
    ]);
    // This tab has no match: search all orders.
    if (search !== undefined && found.rows.length === 0 && query.mark === undefined && !(named ?? from ?? to))
      return seeOther(withQuery(SEARCH, { q: search }));
    const others = { shipped, late, not_arriving: notArriving, ...(partly && { partly }) };
    const file = withQuery(`${ORDERS}/orders.csv`, { ...query.selected });
    return list.page({
      ...ordersHead({ query, found, counts, others }),
      actions: may(me, 'see all orders') && <DownloadLink href={file}>CSV</DownloadLink>,
      refusal,
      query,
      result: found,
      context: {
        status,
        currency: this.settings.currency,
        byTime: {
          now: ({ oldest: 'ascending', newest: 'descending', paid: undefined, shipped: undefined } as const)[
            sort
          ],
          href: list.path({ ...query.selected, sort: sort === 'oldest' ? 'newest' : 'oldest' }),
        },
      },
      bar: bulkActionBar(status),
      today: dayAt(Date.now(), me.timeZone),
    });
  }

  /** All orders that match the filters of the page. */
  @Get('orders.csv')
  async file(@DeskPageRequest() { owner, me, fields }: DeskPageRequest): Promise<StreamableFile> {
    const { selected } = ORDER_LISTS.staff.read(fields);
    const clientId = selected.client === undefined ? undefined : await this.clients.find(selected.client);
    const rows = await this.orders.list({ ...this.filterOf(selected, me), clientId });
    return csvResponse(owner, 'orders', ORDER_EXPORT_COLUMNS, cellsOf(rows, me.timeZone));
  }

  private filterOf({ status, search, from, to }: OrderFilters, { timeZone }: DeskPerson) {
    return { ...this.orders.filterOf(status), search, ...toInstants({ from, to }, timeZone) };
  }

  @Get(':number')
  async show(@DeskPageRequest() { me, number }: One): Promise<Page> {
    const order = await this.findVisible(me, number);
    const { clientId, orderNumber } = order;
    const seesAmounts = may(me, 'see amounts');
    const payments = seesAmounts ? await this.payments.ofOrder(clientId, orderNumber) : [];
    const documents = seesAmounts ? await this.documents.ofOrder(clientId, orderNumber) : [];
    const notes = await this.notes.of(noteSubject('order', orderNumber));
    const eWayBills = await this.eWayBills.ofOrder(clientId, orderNumber);
    const priceNote = await this.sellers.priceNote();
    const irns = await this.eInvoices.irnsOf(documents);
    const page = deskOrderPage({ order, payments, documents, irns, eWayBills, me, priceNote });
    return withNotes(page, { kind: 'order', subject: orderNumber, notes, me });
  }

  @Get(':number/:action')
  async ask(@DeskPageRequest() { me, number, action: name, fields }: Act): Promise<Page> {
    const action = actionOf(me, name);
    const order = await this.findVisible(me, number);
    if (!action.isOffered(order)) return notPossible(action, order);
    if (action.fields) return this.askPage(action, name, order, fields);
    return reviewPage(
      placeOf(action, order),
      await this.reviewOf(me, action, { order, fields, units: [] }),
      fields,
    );
  }

  /** Shows a review, then runs the action. */
  @PostForm(':number/:action')
  async act(@DeskPageRequest() { me, number, action: name, fields }: Act): Promise<Reply> {
    const action = actionOf(me, name);
    const order = await this.findVisible(me, number);
    const isConfirmed = fields.step === 'confirm';
    const actionRequest = () => ({
      order,
      fields,
      units: selectedUnits(action, order, fields, isConfirmed),
      key: textIn(fields, 'key'),
    });
    const steps: Action = {
      ...placeOf(action, order),
      form: async () => {
        const now = await this.findVisible(me, number);
        return action.isOffered(now) ? this.askPage(action, name, now, fields) : notPossible(action, now);
      },
      review: () => this.reviewOf(me, action, actionRequest()),
      run: async () => {
        const done = await action.run(
          actionRequest(),
          await this.services(order),
          me,
          textIn(fields, 'fingerprint'),
        );
        const list = listIn(fields);
        if (list === undefined) return seeOther(orderPath(order.orderNumber), done);
        return seeOther(packingPath(list), `${order.orderNumber}: ${done}`);
      },
    };
    return takeStep(fields, steps);
  }

  private async reviewOf(
    me: DeskPerson,
    action: OrderPageAction,
    input: Omit<ActionRequest, 'key'>,
  ): Promise<Review> {
    const { order } = input;
    const { orderNumber, fingerprint } = order;
    const warned = action.confirms?.(order) ?? {};
    const confirmed = Object.fromEntries(Object.keys(warned).map((name) => [name, 'yes']));
    const request: ActionRequest = { ...input, fields: { ...input.fields, ...confirmed }, key: randomUUID() };
    const services = await this.services(order);
    const tracking = action.tracking?.(request) ?? null;
    const sharing = tracking === null ? [] : await this.orders.sharingTracking(order, tracking);
    const shared = sharing.length > MAX_SHARING_ORDERS ? 'any' : sharing.join(' ');
    const payment = action.payment?.(request);
    const reference = payment && (await this.wallets.reviewReference(payment.reference, payment.amount));
    request.fields = { ...request.fields, shared: reference ? acceptedIn(reference) : shared };
    const effects = await action.effects(request, services);
    if (!reference?.isRepeated) await action.dryRun?.(request, services, me);
    return {
      title: `${action.title} ${orderNumber}?`,
      effects,
      warnings: [
        ...Object.values(warned),
        ...((await action.warnings?.(request, services)) ?? []),
        ...(sharing.length > 0 ? [sharedWarning(tracking!, sharing)] : []),
        ...(reference ? referenceWarnings(reference) : []),
        ...(action.credits ? await this.invoicing.warningsOf(order) : []),
      ],
      reviewedFields: {
        fingerprint,
        key: request.key,
        ...confirmed,
        ...((action.tracking ?? payment) && { shared: request.fields.shared! }),
      },
      button: !reference?.isRepeated && action.button(request),
      isDanger: action.isDanger,
    };
  }

  private async askPage(
    action: OrderPageAction,
    name: string,
    order: DeskOrderPage,
    query: FormFields,
  ): Promise<Page> {
    const [parcel, list] = [parcelIn(query), listIn(query)];
    const contents = contentsIn(query);
    const kept = Object.entries({ parcel, list, in: contents || undefined });
    const { units, lead } = action;
    const possible = units ? allUnits(order.items, units.what) : [];
    const isFilled = units?.all === true || query.all === '1';
    const carried = order.parcels.find((one) => one.parcel === parcel)?.lines;
    const selected = isFilled ? (packedUnits(order.items, possible, contents) ?? possible) : carried;
    const place = placeOf(action, order);
    const unitFields = units && (
      <>
        {!isFilled && <a href={`${place.back.href}/${name}?all=1`}>Fill in all units</a>}
        <UnitFields items={order.items} possible={possible} selected={selected} />
      </>
    );
    const isTaxOn = await this.sellers.isTaxOn();
    return reviewedForm({
      title: `${action.title} ${order.orderNumber}`,
      lead,
      ...place,
      hidden: Object.fromEntries(
        kept.filter(([, value]) => value !== undefined).map(([field, value]) => [field, String(value)]),
      ),
      fields: action.fields?.(order, { units: unitFields, parcel, isTaxOn }),
    });
  }

  private async findVisible(me: DeskPerson, number: string): Promise<DeskOrderPage> {
    const order = await this.orders.orderPage(number);
    if (order.paidAt === null && !may(me, 'see all orders')) throw noSuchOrder(number);
    return order;
  }

  private async services({ clientId }: DeskOrderPage): Promise<ActionServices> {
    const isTaxOn = await this.sellers.isTaxOn();
    const readFunds = () => this.wallets.funds(clientId);
    const { orders, reports, returns, eWayBills } = this;
    return { orders, reports, returns, readFunds, isTaxOn, eWayBills };
  }
}

async function* cellsOf(orders: AsyncIterable<OrderExportRow>, timeZone: TimeZone) {
  for await (const order of orders) {
    const cells = {} as Record<keyof OrderExportRow, string | number>;
    for (const column of ORDER_EXPORT_COLUMNS) {
      const value = order[column];
      cells[column] = value instanceof Date ? plainTime(value, timeZone) : (value ?? '');
    }
    yield cells;
  }
}

type OrderFilters = ReturnType<(typeof ORDER_LISTS)['staff']['read']>['selected'];

function ifUnknown(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'order_not_found')) throw error;
}

function actionOf(me: DeskPerson, name: string): OrderPageAction {
  if (!Object.hasOwn(ACTIONS, name)) throw new DomainError('route_not_found', 'There is no such page.');
  const action = ACTIONS[name as ActionName];
  requireRole(me, action.role);
  return action;
}

/** The service checks confirmed units again, against the current order. */
function selectedUnits(
  { units }: OrderPageAction,
  order: DeskOrderPage,
  fields: FormFields,
  isConfirmed: boolean,
): LineQuantity[] {
  if (!units) return [];
  const possible = isConfirmed ? order.items : allUnits(order.items, units.what);
  const canBeEmpty = isConfirmed || (units.canBeEmpty?.(order, fields) ?? false);
  return unitsIn(possible, quantitiesIn(fields), { what: units.what, canBeEmpty });
}

const placeOf = ({ fields }: OrderPageAction, { orderNumber }: DeskOrderPage) => ({
  back: { href: orderPath(orderNumber), text: orderNumber },
  hasForm: fields !== undefined,
});

function sharedWarning(tracking: string, orders: readonly string[]): string {
  const named = orders.slice(0, MAX_SHARING_ORDERS).join(', ');
  const more = orders.length > MAX_SHARING_ORDERS ? ' and more' : '';
  return (
    `The tracking number ${tracking} is on a parcel of ${named}${more} too. ` +
    'Go on only if one parcel holds these orders.'
  );
}

const notPossible = ({ title }: OrderPageAction, { orderNumber, status }: DeskOrderPage): Page =>
  unavailablePage(
    `${title} ${orderNumber}: not possible now`,
    `The order is ${status.replaceAll('_', ' ')}, so this cannot be done.`,
    { href: orderPath(orderNumber), text: orderNumber },
    { text: 'Back to the order' },
  );
