import { randomUUID } from 'node:crypto';
import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import { ClientFinder } from '../../../auth/clients/client-finder.js';
import { type DeskPerson, hasRole, requireRole } from '../../../auth/people/signed-in-person.js';
import { SellersService } from '../../../invoices/sellers.service.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import { type DeskOrderPage, OrderDeskService } from '../../../orders/desk/order-desk.service.js';
import { noSuchOrder } from '../../../orders/order-errors.js';
import { OrderReturnsService } from '../../../orders/returns/order-returns.service.js';
import { normaliseOrderNumber } from '../../../orders/rules/order-number.js';
import { allUnits, type LineQuantity } from '../../../orders/rules/order-units.js';
import { Button, ButtonLink, Form, SentForm } from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { again, textIn } from '../../../pages/forms.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { ClientPaymentsRepository } from '../../../payments/client-payments.repository.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { quantitiesIn, UnitFields, unitsIn } from '../../shared/order-forms.js';
import { fileOf } from '../../shared/file-answer.js';
import { DeskPages, For } from '../desk-pages.js';
import { orderPath } from '../paths.js';
import {
  type ActionServices,
  ACTIONS,
  type ActionName,
  type Asked,
  type OrderAction,
  parcelIn,
} from './order-actions.js';
import { deskOrderPage } from './order-page.js';
import { filterOf, forPacker, ordersPage, type OrdersQuery, readOrdersQuery } from './orders-page.js';

const asSent = (fields: FormFields) => fields;

@DeskPages('orders', 'packer')
export class DeskOrdersController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly returns: OrderReturnsService,
    private readonly payments: ClientPaymentsRepository,
    private readonly documents: TaxDocumentsService,
    private readonly sellers: SellersService,
    private readonly clients: ClientFinder,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(
    @CurrentPerson() me: DeskPerson,
    @QueryReadBy(readOrdersQuery) asked: OrdersQuery,
  ): Promise<Reply> {
    const isStaff = hasRole(me, 'staff');
    const query = isStaff ? asked : { ...asked, chosen: forPacker(asked.chosen) };
    const { chosen, after } = query;
    const { currency } = this.settings;
    const today = dayAt(Date.now(), me.timeZone);
    const number = normaliseOrderNumber(chosen.search ?? '');
    if (number !== null && (await this.seen(me, number).catch(() => undefined)))
      return seeOther(orderPath(number));
    const found = await this.clientOf(chosen.client);
    if ('refusal' in found) {
      const counts = await this.orders.counts();
      return ordersPage({ orders: [], older: undefined, counts, query, isStaff, currency, today, ...found });
    }
    const { clientId } = found;
    const filter = { ...filterOf(chosen, me.timeZone), clientId };
    const [page, counts] = await Promise.all([
      this.orders.page(filter, { after, sort: chosen.status === 'pending' ? 'oldest' : 'newest' }),
      this.orders.counts(clientId),
    ]);
    return ordersPage({ ...page, counts, query, isStaff, currency, today, refusal: undefined });
  }

  @Get(':number')
  async show(@CurrentPerson() me: DeskPerson, @Param('number') number: string): Promise<Page> {
    const order = await this.seen(me, number);
    const { clientId, orderNumber } = order;
    const isStaff = hasRole(me, 'staff');
    const [payments, documents] = isStaff
      ? await Promise.all([
          this.payments.ofOrder(clientId, orderNumber),
          this.documents.ofOrder(clientId, orderNumber),
        ])
      : [[], []];
    return deskOrderPage({ order, payments, documents, isStaff });
  }

  @For('staff')
  @Get(':number/documents/:document.pdf')
  async file(@Param('document') number: string): Promise<StreamableFile> {
    const document = await this.documents.find(number);
    return fileOf(`${document.number}.pdf`, 'application/pdf', this.documents.pdfOf(document));
  }

  @Get(':number/:action')
  async ask(
    @CurrentPerson() me: DeskPerson,
    @Param('number') number: string,
    @Param('action') name: string,
    @QueryReadBy(asSent) query: FormFields,
  ): Promise<Page> {
    const action = actionOf(me, name);
    const order = await this.seen(me, number);
    if (!action.isOffered(order)) return notPossible(action, order);
    if (action.fields) return formPage(action, name, order, query);
    return this.effectsPage(action, name, { order, fields: query, units: [], key: randomUUID() });
  }

  /** First shows what the form will do, then does it. */
  @PostForm(':number/:action')
  async act(
    @CurrentPerson() me: DeskPerson,
    @Param('number') number: string,
    @Param('action') name: string,
    @BodyReadBy(asSent) { step, fingerprint, key, ...fields }: FormFields,
  ): Promise<Reply> {
    const action = actionOf(me, name);
    const order = await this.seen(me, number);
    if (step === 'edit') return formPage(action, name, order, fields, fields);
    try {
      const isConfirmed = step === 'confirm';
      const asked = { order, fields, units: chosenUnits(action, order, fields, isConfirmed) };
      if (!isConfirmed) return await this.effectsPage(action, name, { ...asked, key: randomUUID() });
      const confirmed = { ...asked, key: textIn({ key: key ?? '' }, 'key') };
      const done = await action.run(
        confirmed,
        await this.services(),
        me,
        textIn({ fingerprint: fingerprint ?? '' }, 'fingerprint'),
      );
      return seeOther(orderPath(order.orderNumber), done);
    } catch (error) {
      const now = await this.seen(me, number);
      const page = action.isOffered(now) ? formPage(action, name, now, fields) : notPossible(action, now);
      return again(error, page, 'conflict', 'illegal_transition', 'invalid_value', 'duplicate_order');
    }
  }

  private async effectsPage(action: OrderAction, name: string, asked: Asked): Promise<Page> {
    const { order, fields, key } = asked;
    const effects = action.effects(asked, await this.services());
    const path = orderPath(order.orderNumber);
    return {
      title: `${action.title} ${order.orderNumber}?`,
      lead: 'Nothing is done yet. This is what will be done:',
      back: { href: path, text: order.orderNumber },
      content: (
        <Card>
          <Facts of={effects} />
          <Form action={`${path}/${name}`} hidden={{ ...fields, fingerprint: order.fingerprint, key }} bare>
            <div class="actions">
              {action.fields ? (
                <Button name="step" value="edit">
                  Change
                </Button>
              ) : (
                <ButtonLink href={path}>Back</ButtonLink>
              )}
              <Button kind={action.isDanger ? 'danger' : 'primary'} name="step" value="confirm">
                {action.button(asked)}
              </Button>
            </div>
          </Form>
        </Card>
      ),
    };
  }

  /** Packers see no order that was never paid. */
  private async seen(me: DeskPerson, number: string): Promise<DeskOrderPage> {
    const order = await this.orders.details(number);
    if (order.paidAt === null && !hasRole(me, 'staff')) throw noSuchOrder(number);
    return order;
  }

  private async services(): Promise<ActionServices> {
    return { orders: this.orders, returns: this.returns, isTaxOn: await this.sellers.isTaxOn() };
  }

  /** A client that is not found is told on the page. */
  private async clientOf(text: string | undefined): Promise<{ clientId?: number } | { refusal: string }> {
    if (text === undefined) return {};
    try {
      const clientId = await this.clients.find(text);
      await this.orders.checkClient({ clientId });
      return { clientId };
    } catch (error) {
      if (error instanceof DomainError && error.code.startsWith('client_')) return { refusal: error.message };
      throw error;
    }
  }
}

function actionOf(me: DeskPerson, name: string): OrderAction {
  if (!Object.hasOwn(ACTIONS, name)) throw new DomainError('route_not_found', 'There is no such page.');
  const action = ACTIONS[name as ActionName];
  requireRole(me, action.role);
  return action;
}

/** What was confirmed is checked again by the service, against the order as it is then. */
function chosenUnits(
  { units }: OrderAction,
  order: DeskOrderPage,
  fields: FormFields,
  isConfirmed: boolean,
): LineQuantity[] {
  if (!units) return [];
  const possible = isConfirmed ? order.items : allUnits(order.items, units.what);
  const mayBeNone = isConfirmed || (units.mayBeNone?.(order, fields) ?? false);
  return unitsIn(possible, quantitiesIn(fields), { what: units.what, mayBeNone });
}

function formPage(
  action: OrderAction,
  name: string,
  order: DeskOrderPage,
  query: FormFields,
  typed?: FormFields,
): Page {
  const path = orderPath(order.orderNumber);
  const parcel = parcelIn(query);
  const { units, lead } = action;
  const unitFields = units && (
    <UnitFields items={order.items} possible={allUnits(order.items, units.what)} all={units.all} />
  );
  const form = (
    <Card>
      <Form action={`${path}/${name}`} hidden={parcel === undefined ? {} : { parcel: String(parcel) }}>
        {action.fields?.(order, { units: unitFields, parcel })}
        <Button kind="primary">Continue</Button>
      </Form>
    </Card>
  );
  return {
    title: `${action.title} ${order.orderNumber}`,
    lead,
    back: { href: path, text: order.orderNumber },
    content: typed ? (
      <SentForm.Provider value={{ fields: typed, faults: {} }}>{form}</SentForm.Provider>
    ) : (
      form
    ),
  };
}

function notPossible({ title }: OrderAction, { orderNumber, status }: DeskOrderPage): Page {
  const back = { href: orderPath(orderNumber), text: orderNumber };
  return {
    title: `${title} ${orderNumber}: not possible now`,
    back,
    content: (
      <Card>
        <Empty next={{ href: back.href, text: 'Back to the order' }}>
          {`The order is ${status.replaceAll('_', ' ')}, so this cannot be done.`}
        </Empty>
      </Card>
    ),
  };
}
