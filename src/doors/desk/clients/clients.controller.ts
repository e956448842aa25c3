import { Get, Inject, Post } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import { ClientAdministration } from '../../../clients/client-administration.service.js';
import { NewClients } from '../../../auth/new-clients.service.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { Sessions } from '../../../auth/sessions/sessions.service.js';
import { SubscriptionAdministration } from '../../../clients/subscription-administration.service.js';
import { SellersService } from '../../../invoices/sellers.service.js';
import { OrderDeskService } from '../../../orders/records/order-desk.service.js';
import { again, IdParam, readTexts, textIn, Texts } from '../../../pages/forms.js';
import type { AskedOf } from '../../../pages/list-page.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { parseEnd, parseInstant } from '../../../platform/time/time.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { DASHBOARD } from '../../account/account-paths.js';
import { DeskPages, For } from '../desk-pages.js';
import { clientPath, CLIENTS } from '../paths.js';
import { clientDetailsPage, clientOverviewPage, clientSubscriptionPage } from './client-page.js';
import { CLIENT_LIST, clientAddedPage, clientsHead, newClientPage } from './clients-pages.js';

const readSubscription = readTexts('plan', 'from', 'until', 'shown');

/** The clients. Staff read, admins change. */
@DeskPages('clients', 'staff')
export class ClientsController {
  constructor(
    private readonly clients: ClientAdministration,
    private readonly newClients: NewClients,
    private readonly subscriptions: SubscriptionAdministration,
    private readonly sessions: Sessions,
    private readonly orders: OrderDeskService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(
    @Me() me: DeskPerson,
    @QueryReadBy(CLIENT_LIST.read) asked: AskedOf<typeof CLIENT_LIST>,
  ): Promise<Page> {
    const { search, only } = asked.chosen;
    const filter = { search, ...(only !== 'all' && { only }), after: asked.mark };
    const found = await CLIENT_LIST.find(async (most) => {
      const clients = await this.clients.list(filter, most);
      const accounts = await this.orders.accounts(clients.map(({ client_id: id }) => id));
      const byClient = new Map(accounts.map((account) => [account.client_id, account]));
      return clients.map((client) => ({ ...client, ...byClient.get(client.client_id)! }));
    });
    const head = clientsHead(hasRole(me, 'admin'));
    return CLIENT_LIST.page({ ...head, asked, found, context: this.settings.currency });
  }

  @Get('new')
  @For('admin')
  async newForm(): Promise<Page> {
    return newClientPage({ plans: await this.subscriptions.plans(), offersForce: false });
  }

  @PostForm('new')
  @For('admin')
  async add(
    @Me() me: DeskPerson,
    @Texts('name', 'email', 'domain', 'plan', 'from', 'until', 'force')
    form: Texts<'name' | 'email' | 'domain' | 'plan' | 'from' | 'until' | 'force'>,
  ): Promise<Page> {
    const { name, email, domain, force } = form;
    try {
      const given = { name, email, domain, ...this.termsOf(form) };
      return clientAddedPage(name.trim(), await this.newClients.add(given, me, { force: force === 'yes' }));
    } catch (error) {
      const offersForce = error instanceof DomainError && error.code === 'conflict';
      const page = newClientPage({ plans: await this.subscriptions.plans(), offersForce });
      return again(error, page, 'conflict', 'invalid_value', 'plan_not_found');
    }
  }

  @Get(':id')
  async show(@Me() me: DeskPerson, @IdParam() id: number): Promise<Page> {
    const client = await this.clients.show(id);
    const [account] = await this.orders.accounts([id]);
    const hasTax = await this.sellers.isTaxOn();
    const isAdmin = hasRole(me, 'admin');
    return clientOverviewPage({ client, account: account!, isAdmin, hasTax, settings: this.settings });
  }

  @Post(':id/see')
  async seeAsClient(@Me() me: DeskPerson, @IdParam() id: number): Promise<SeeOther> {
    await this.sessions.beginSeeing(me, id);
    return seeOther(DASHBOARD.home);
  }

  @Post('stop-seeing')
  async stopSeeing(@Me() me: DeskPerson): Promise<SeeOther> {
    const id = await this.sessions.endSeeing(me);
    return seeOther(id === null ? CLIENTS : clientPath(id), 'You are back at the desk.');
  }

  @Get(':id/details')
  @For('admin')
  async detailsForm(@IdParam() id: number): Promise<Page> {
    return clientDetailsPage({ client: await this.clients.show(id), hasTax: await this.sellers.isTaxOn() });
  }

  @PostForm(':id/details')
  @For('admin')
  async setDetails(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @BodyReadBy(readDetails) { shown, ...change }: ReturnType<typeof readDetails>,
  ): Promise<Reply> {
    try {
      const { name } = await this.clients.set(id, change, me, shown);
      return seeOther(clientPath(id), `The details of ${name} are saved.`);
    } catch (error) {
      return again(error, await this.detailsForm(id), 'conflict', 'invalid_value');
    }
  }

  @Post(':id/suspend')
  @For('admin')
  async suspend(@Me() me: DeskPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.clients.suspend(id, me);
    return seeOther(clientPath(id), `${name} is suspended.`);
  }

  @Post(':id/resume')
  @For('admin')
  async resume(@Me() me: DeskPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.clients.resume(id, me);
    return seeOther(clientPath(id), `${name} is not suspended any more.`);
  }

  @Get(':id/subscription')
  @For('admin')
  async subscriptionForm(@IdParam() id: number): Promise<Page> {
    const client = await this.clients.show(id);
    const [plans, shown] = await Promise.all([this.subscriptions.plans(), this.subscriptions.asText(id)]);
    return clientSubscriptionPage({ client, plans, shown });
  }

  @PostForm(':id/subscription')
  @For('admin')
  async setSubscription(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @BodyReadBy(readSubscription) form: ReturnType<typeof readSubscription>,
  ): Promise<Reply> {
    try {
      const { plan, until } = await this.subscriptions.set(id, this.termsOf(form), actorOf(me), form.shown);
      return seeOther(clientPath(id), `The plan is ${plan} until ${until}.`);
    } catch (error) {
      return again(error, await this.subscriptionForm(id), 'conflict', 'invalid_value', 'plan_not_found');
    }
  }

  @PostForm(':id/subscription/end')
  @For('admin')
  async endSubscription(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('shown') { shown }: Texts<'shown'>,
  ): Promise<Reply> {
    try {
      await this.subscriptions.end(id, actorOf(me), shown);
      return seeOther(clientPath(id), 'The subscription has ended. The store cannot order.');
    } catch (error) {
      return again(error, await this.subscriptionForm(id), 'conflict');
    }
  }

  /** Days are those of the settings, as in the commands. The last day is included. */
  private termsOf({
    plan,
    from,
    until,
  }: Pick<ReturnType<typeof readSubscription>, 'plan' | 'from' | 'until'>) {
    const { timeZone } = this.settings;
    const starts = from.trim() === '' ? undefined : parseInstant(from, timeZone);
    const ends = parseEnd(until, timeZone);
    const faults = [...(starts === null ? ['from'] : []), ...(ends === null ? ['until'] : [])];
    if (starts === null || ends === null)
      throw validationFailed(
        faults.map((field) => ({ field, code: 'invalid', message: 'must be a day, such as 2027-03-31' })),
      );
    return { plan, ...(starts && { from: starts }), until: ends };
  }
}

/** A field that the form does not have stays as it is. */
function readDetails(fields: FormFields) {
  const given = (name: string) => (name in fields ? textIn(fields, name) : undefined);
  return {
    shown: textIn(fields, 'shown'),
    name: given('name'),
    email: given('email'),
    unpaidValueLimit: given('unpaidValueLimit'),
    unpaidOrdersLimit: given('unpaidOrdersLimit'),
    timeZone: given('timeZone'),
    gstin: given('gstin'),
    state: given('state'),
    billingAddress: given('billingAddress'),
  };
}
