import { authorOf } from '../../../modules/audit/audit-log.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { PeopleAdministrationService } from '../../../modules/people/people-administration.service.js';
import { PeopleListService } from '../../../modules/people/people-list.service.js';
import type { SignedInPerson } from '../../../platform/access/signed-in-person.js';
import type { Page } from '../../../shared/ui/page.js';
import { accountPaths } from '../../account/account-paths.js';
import { type PeopleAccount, PeopleController } from '../../account/people.controller.js';
import { DeskPages } from '../desk-pages.js';
import { clientPath, clientPaths } from '../paths.js';
import { clientPage } from './client-page.js';

/** The people of one client. An admin manages them as an owner does, and always sees a new link. */
@DeskPages('clients/:id/people')
export class ClientPeopleController extends PeopleController {
  constructor(
    people: PeopleListService,
    administration: PeopleAdministrationService,
    private readonly clients: ClientAdministrationService,
  ) {
    super(people, administration);
  }

  /** No person of the client is the viewer. */
  protected async account(me: SignedInPerson, id: number): Promise<PeopleAccount> {
    const { name } = await this.clients.show(id);
    const viewer = { id: 0, clientId: id, clientName: name, role: 'owner' } as const;
    return { viewer, by: authorOf(me, id), paths: accountPaths(clientPath(id)) };
  }

  protected override listOf({ viewer: { clientId, clientName } }: PeopleAccount, page: Page): Page {
    const client = { id: clientId!, name: clientName! };
    const { people } = clientPaths(client.id);
    return clientPage(client, people, true, { ...page, title: `${clientName}: ${page.title}` });
  }
}
