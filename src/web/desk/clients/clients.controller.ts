import { Get, Inject, Post } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import {
  CLIENT_NAMES,
  type ClientFieldName,
  clientNames,
  TAX_NAMES,
} from '../../../modules/clients/client-fields.js';
import { NewClientsService } from '../../../modules/auth/new-clients.service.js';
import { may } from '../../../platform/access/signed-in-person.js';
import { SessionsService } from '../../../modules/auth/sessions/sessions.service.js';
import { SubscriptionAdministrationService } from '../../../modules/clients/subscription-administration.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { pay } from '../../../modules/orders/actions/pay.js';
import { OrderDeskService } from '../../../modules/orders/records/order-desk.service.js';
import { formatLastDay } from '../../../platform/formats.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { readRecord } from '../../../shared/ui/record.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { Minor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readTimes } from '../../../platform/validation/readers.js';
import { noteSubject, NotesService } from '../../../modules/notes/notes.service.js';
import { withNotes } from '../notes/notes-card.js';
import { DASHBOARD } from '../../account/account-paths.js';
import { type EntryRequest, OrderEntryPages } from '../../shared/order-entry-pages.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { clientPath, CLIENTS, orderPath } from '../paths.js';
import { fundsToPay } from '../money/money-frame.js';
import { ClientRecord } from '../../shared/client-record.js';
import { backToClient, clientOverviewPage, clientSubscriptionPage } from './client-page.js';
import { CLIENT_LIST, clientAddedPage, clientsHead, newClientPage } from './clients-pages.js';

type Id = Pick<DeskPageRequest, 'id'>;

/** The clients. */
@DeskPages('clients')
export class ClientsController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly newClients: NewClientsService,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly sessions: SessionsService,
    private readonly orders: OrderDeskService,
    private readonly sellers: SellersService,
    private readonly notes: NotesService,
    private readonly entry: OrderEntryPages,
    private readonly wallets: WalletService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    const query = CLIENT_LIST.read(fields);
    const { search, only } = query.selected;
    const filter = { search, ...(only !== 'all' && { only }), after: query.mark };
    const found = await CLIENT_LIST.find(async (limit) => {
      const clients = await this.clients.list(filter, limit);
      const accounts = await this.orders.accounts(clients.map(({ id }) => id));
      return clients.map((client) => ({ ...client, ...accounts.get(client.id)! }));
    });
    const head = clientsHead(may(me, 'manage clients'));
    return CLIENT_LIST.page({ ...head, query, result: found, context: this.settings.currency });
  }

  @Get('new')
  newForm(): Promise<Page> {
    return this.newPage();
  }

  @PostForm('new')
  add(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const { name, email, domain, force } = readTexts('name', 'email', 'domain', 'force')(fields);
    const add = async () => {
      const newClient = { name, email, domain, ...readRecord(TAX_NAMES, fields), ...this.termsOf(fields) };
      const added = await this.newClients.add(newClient, me, { force: force === 'yes' });
      const client = await this.clients.show(added.clientId);
      return clientAddedPage(client, added, await this.sellers.missingDataOf(client));
    };
    return submitForm(add, (error) => this.newPage(error));
  }

  @Get(':id')
  async show(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<Page> {
    const client = await this.clients.show(id);
    const account = (await this.orders.accounts([id])).get(id)!;
    const [hasTax, lacked] = [await this.sellers.isTaxOn(), await this.sellers.missingDataOf(client)];
    const page = clientOverviewPage({ client, account, me, hasTax, lacked, settings: this.settings });
    const notes = await this.notes.of(noteSubject('client', id));
    return withNotes(page, { kind: 'client', subject: id, notes, me });
  }

  @Post(':id/see')
  async seeAsClient(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<SeeOther> {
    await this.sessions.startViewing(me, id);
    return seeOther(DASHBOARD.home);
  }

  @Post('stop-seeing')
  async stopSeeing(@DeskPageRequest() { me }: DeskPageRequest): Promise<SeeOther> {
    const id = await this.sessions.stopViewing(me);
    return seeOther(id === null ? CLIENTS : clientPath(id), 'You are back at the desk.');
  }

  @Get(':id/details')
  async detailsForm(@DeskPageRequest() { id }: Id): Promise<Page> {
    const names = clientNames(await this.sellers.isTaxOn());
    return this.recordPage(id, 'Details', names, CLIENT_NAMES);
  }

  @PostForm(':id/details')
  setDetails(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const set = async () => {
      const change = readRecord(CLIENT_NAMES, fields);
      const { name } = await this.clients.set(id, change, me, textIn(fields, 'shown'));
      return seeOther(clientPath(id), `The details of ${name} are saved.`);
    };
    return submitForm(set, () => this.detailsForm({ id }));
  }

  @Get(':id/tax')
  async taxForm(@DeskPageRequest() { id }: Id): Promise<Page> {
    if (!(await this.sellers.isTaxOn())) throw new DomainError('route_not_found', 'There is no such page.');
    return this.recordPage(id, 'Tax data', TAX_NAMES, TAX_NAMES);
  }

  @PostForm(':id/tax')
  setTax(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const set = async () => {
      const change = readRecord(TAX_NAMES, fields);
      const { name } = await this.clients.set(id, change, me, textIn(fields, 'shown'), TAX_NAMES);
      return seeOther(clientPath(id), `The tax data of ${name} is saved.`);
    };
    return submitForm(set, () => this.taxForm({ id }));
  }

  @PostForm(':id/suspend')
  async suspend(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<SeeOther> {
    const { name } = await this.clients.suspend(id, me, textIn(fields, 'reason'));
    return seeOther(clientPath(id), `${name} is suspended.`);
  }

  @Post(':id/resume')
  async resume(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<SeeOther> {
    const { name } = await this.clients.resume(id, me);
    return seeOther(clientPath(id), `${name} is not suspended any more.`);
  }

  @Get(':id/subscription')
  async subscriptionForm(@DeskPageRequest() { id }: Id): Promise<Page> {
    const client = await this.clients.show(id);
    const [plans, reviewedState] = await Promise.all([
      this.subscriptions.plans(),
      this.subscriptions.asText(id),
    ]);
    return clientSubscriptionPage({ client, plans, reviewedState });
  }

  @PostForm(':id/subscription')
  setSubscription(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const set = async () => {
      const [terms, reviewedState] = [this.termsOf(fields), textIn(fields, 'shown')];
      const { plan, until } = await this.subscriptions.set(id, terms, actorOf(me), reviewedState);
      const { name } = await this.subscriptions.plan(plan);
      return seeOther(clientPath(id), `The plan is ${name} until ${formatLastDay(until, me.timeZone)}.`);
    };
    return submitForm(set, () => this.subscriptionForm({ id }));
  }

  @PostForm(':id/subscription/end')
  endSubscription(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const end = async () => {
      await this.subscriptions.end(id, actorOf(me), textIn(fields, 'shown'));
      return seeOther(clientPath(id), 'The subscription has ended. The store cannot order.');
    };
    return submitForm(end, () => this.subscriptionForm({ id }));
  }

  @Get(':id/order')
  async newOrder(@DeskPageRequest() request: DeskPageRequest): Promise<Page> {
    return this.entry.open(await this.entryOf(request));
  }

  @Post(':id/order')
  @TakesForm({ isLong: true })
  async enterOrder(@DeskPageRequest() request: DeskPageRequest): Promise<Reply> {
    return this.entry.submit(await this.entryOf(request));
  }

  private async entryOf({ me, id, fields }: DeskPageRequest): Promise<EntryRequest> {
    const back = backToClient(await this.clients.find(id));
    const [clientName, title] = [back.text, `New order for ${back.text}`];
    const payFromWallet: EntryRequest['payFromWallet'] = (number, consent) =>
      this.orders.act(number, actorOf(me), pay.change({ consent }));
    const pays = {
      payFromWallet,
      fundsToPay: async (amount: Minor) =>
        fundsToPay(await this.wallets.funds(id), amount, this.settings.currency),
    };
    return { me, clientId: id, clientName, fields, title, back, orderPath, ...pays };
  }

  private async recordPage(
    id: number,
    subject: string,
    names: ClientFieldName[],
    reviewed: ClientFieldName[],
  ): Promise<Page> {
    const client = await this.clients.find(id);
    return {
      title: `${subject} of ${client.name}`,
      back: backToClient(client),
      content: ClientRecord({ client, names, reviewed, settings: this.settings }),
    };
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
