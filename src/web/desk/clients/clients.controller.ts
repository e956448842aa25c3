import { Get, Inject, Post } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import {
  clientAsText,
  CLIENT_NAMES,
  clientNames,
  TAX_NAMES,
} from '../../../modules/clients/client-fields.js';
import { NewClientsService } from '../../../modules/auth/new-clients.service.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { SessionsService } from '../../../modules/auth/sessions/sessions.service.js';
import { SubscriptionAdministrationService } from '../../../modules/clients/subscription-administration.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { OrderDeskService } from '../../../modules/orders/records/order-desk.service.js';
import { orAgain, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { readRecord } from '../../../shared/ui/record.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readTimes } from '../../../platform/validation/readers.js';
import { noted, NotesService } from '../../../modules/notes/notes.service.js';
import { withNotes } from '../notes/notes-card.js';
import { DASHBOARD } from '../../account/account-paths.js';
import { DeskPages, For, Visit } from '../desk-pages.js';
import { clientPath, clientPaths, CLIENTS } from '../paths.js';
import { clientDetailsPage, clientOverviewPage, clientSubscriptionPage } from './client-page.js';
import { CLIENT_LIST, clientAddedPage, clientsHead, newClientPage } from './clients-pages.js';

type Id = Pick<Visit, 'id'>;

/** The clients. Staff read them and set their tax data, admins change all. */
@DeskPages('clients', 'staff')
export class ClientsController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly newClients: NewClientsService,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly sessions: SessionsService,
    private readonly orders: OrderDeskService,
    private readonly sellers: SellersService,
    private readonly notes: NotesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@Visit() { me, fields }: Visit): Promise<Page> {
    const asked = CLIENT_LIST.read(fields);
    const { search, only } = asked.chosen;
    const filter = { search, ...(only !== 'all' && { only }), after: asked.mark };
    const found = await CLIENT_LIST.find(async (most) => {
      const clients = await this.clients.list(filter, most);
      const accounts = await this.orders.accounts(clients.map(({ id }) => id));
      return clients.map((client) => ({ ...client, ...accounts.get(client.id)! }));
    });
    const head = clientsHead(hasRole(me, 'admin'));
    return CLIENT_LIST.page({ ...head, asked, found, context: this.settings.currency });
  }

  @Get('new')
  @For('admin')
  newForm(): Promise<Page> {
    return this.newPage();
  }

  @PostForm('new')
  @For('admin')
  add(@Visit() { me, fields }: Visit): Promise<Reply> {
    const { name, email, domain, force } = readTexts('name', 'email', 'domain', 'force')(fields);
    const add = async () => {
      const given = { name, email, domain, ...readRecord(TAX_NAMES, fields), ...this.termsOf(fields) };
      const added = await this.newClients.add(given, me, { force: force === 'yes' });
      const client = await this.clients.find(added.clientId);
      return clientAddedPage(client.name, added, await this.sellers.lackedBy(client));
    };
    return orAgain(add, (error) => this.newPage(error), 'conflict', 'invalid_value', 'plan_not_found');
  }

  @Get(':id')
  async show(@Visit() { me, id }: Visit): Promise<Page> {
    const client = await this.clients.show(id);
    const account = (await this.orders.accounts([id])).get(id)!;
    const [hasTax, lacked] = [await this.sellers.isTaxOn(), await this.sellers.lackedBy(client)];
    const isAdmin = hasRole(me, 'admin');
    const page = clientOverviewPage({ client, account, isAdmin, hasTax, lacked, settings: this.settings });
    const notes = await this.notes.of(noted('client', id));
    return withNotes(page, { kind: 'client', subject: id, notes, me });
  }

  @Post(':id/see')
  async seeAsClient(@Visit() { me, id }: Visit): Promise<SeeOther> {
    await this.sessions.beginSeeing(me, id);
    return seeOther(DASHBOARD.home);
  }

  @Post('stop-seeing')
  async stopSeeing(@Visit() { me }: Visit): Promise<SeeOther> {
    const id = await this.sessions.endSeeing(me);
    return seeOther(id === null ? CLIENTS : clientPath(id), 'You are back at the desk.');
  }

  @Get(':id/details')
  @For('admin')
  async detailsForm(@Visit() { id }: Id): Promise<Page> {
    const client = await this.clients.find(id);
    const names = clientNames(await this.sellers.isTaxOn());
    const [path, shown] = [clientPaths(id).details, clientAsText(client)];
    return clientDetailsPage({ client, names, path, shown, settings: this.settings });
  }

  @PostForm(':id/details')
  @For('admin')
  setDetails(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const set = async () => {
      const change = readRecord(CLIENT_NAMES, fields);
      const { name } = await this.clients.set(id, change, me, textIn(fields, 'shown'));
      return seeOther(clientPath(id), `The details of ${name} are saved.`);
    };
    return orAgain(set, () => this.detailsForm({ id }), 'conflict', 'invalid_value');
  }

  @Get(':id/tax')
  async taxForm(@Visit() { id }: Id): Promise<Page> {
    const client = await this.clients.find(id);
    if (!(await this.sellers.isTaxOn())) throw new DomainError('route_not_found', 'There is no such page.');
    const [path, shown] = [clientPaths(id).tax, clientAsText(client, TAX_NAMES)];
    return clientDetailsPage({ client, names: TAX_NAMES, path, shown, settings: this.settings });
  }

  @PostForm(':id/tax')
  setTax(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const set = async () => {
      const change = readRecord(TAX_NAMES, fields);
      const { name } = await this.clients.set(id, change, me, textIn(fields, 'shown'), TAX_NAMES);
      return seeOther(clientPath(id), `The tax data of ${name} is saved.`);
    };
    return orAgain(set, () => this.taxForm({ id }), 'conflict', 'invalid_value');
  }

  @Post(':id/suspend')
  @For('admin')
  async suspend(@Visit() { me, id }: Visit): Promise<SeeOther> {
    const { name } = await this.clients.suspend(id, me);
    return seeOther(clientPath(id), `${name} is suspended.`);
  }

  @Post(':id/resume')
  @For('admin')
  async resume(@Visit() { me, id }: Visit): Promise<SeeOther> {
    const { name } = await this.clients.resume(id, me);
    return seeOther(clientPath(id), `${name} is not suspended any more.`);
  }

  @Get(':id/subscription')
  @For('admin')
  async subscriptionForm(@Visit() { id }: Id): Promise<Page> {
    const client = await this.clients.show(id);
    const [plans, shown] = await Promise.all([this.subscriptions.plans(), this.subscriptions.asText(id)]);
    return clientSubscriptionPage({ client, plans, shown });
  }

  @PostForm(':id/subscription')
  @For('admin')
  setSubscription(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const set = async () => {
      const [terms, shown] = [this.termsOf(fields), textIn(fields, 'shown')];
      const { plan, until } = await this.subscriptions.set(id, terms, actorOf(me), shown);
      return seeOther(clientPath(id), `The plan is ${plan} until ${until}.`);
    };
    return orAgain(set, () => this.subscriptionForm({ id }), 'conflict', 'invalid_value', 'plan_not_found');
  }

  @PostForm(':id/subscription/end')
  @For('admin')
  endSubscription(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const end = async () => {
      await this.subscriptions.end(id, actorOf(me), textIn(fields, 'shown'));
      return seeOther(clientPath(id), 'The subscription has ended. The store cannot order.');
    };
    return orAgain(end, () => this.subscriptionForm({ id }), 'conflict');
  }

  private async newPage(error?: unknown): Promise<Page> {
    const offersForce = error instanceof DomainError && error.code === 'conflict';
    const hasTax = await this.sellers.isTaxOn();
    return newClientPage({ plans: await this.subscriptions.plans(), offersForce, hasTax });
  }

  /** Days are in the time zone of the settings, as in the commands. The last day is included. */
  private termsOf(fields: FormFields) {
    const { plan, ...days } = readTexts('plan', 'from', 'until')(fields);
    const { from, until } = readTimes(days, this.settings.timeZone, 'until');
    return { plan, ...(from && { from }), until };
  }
}
