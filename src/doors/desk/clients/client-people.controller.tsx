import { Get, Post } from '@nestjs/common';
import { authorOf } from '../../../audit/audit-log.js';
import { ClientAdministration } from '../../../auth/clients/client-administration.js';
import { PeopleAdministration, type PersonWithLink } from '../../../auth/people/people-administration.js';
import { PeopleList } from '../../../auth/people/people-list.js';
import { roleName } from '../../../auth/people/roles.js';
import type { DeskPerson } from '../../../auth/people/signed-in-person.js';
import { again, IdParam, readTexts } from '../../../pages/forms.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { accountPaths } from '../../account/account-paths.js';
import { invitePage, linkMadePage, peoplePage } from '../../account/people-pages.js';
import { personPage } from '../../account/person-page.js';
import { DeskPages } from '../desk-pages.js';
import { clientPath, clientPeoplePath } from '../paths.js';
import { backToClient, ClientTabs } from './client-page.js';

const readRole = readTexts('role');
const readInvitation = readTexts('email', 'role');

const PersonParam = () => IdParam('person');

/** The people of one client. An admin manages them as an owner does. */
@DeskPages('clients/:id/people')
export class ClientPeopleController {
  constructor(
    private readonly clients: ClientAdministration,
    private readonly people: PeopleList,
    private readonly administration: PeopleAdministration,
  ) {}

  @Get()
  async list(@IdParam() id: number): Promise<Page> {
    const { viewer, client, paths } = await this.account(id);
    const page = peoplePage(paths, viewer, await this.people.of(id));
    return {
      ...page,
      title: `${client.name}: ${page.title}`,
      back: backToClient(client),
      content: (
        <>
          <ClientTabs id={id} at={clientPeoplePath(id)} isAdmin />
          {page.content}
        </>
      ),
    };
  }

  @Get('invite')
  async inviteForm(@IdParam() id: number): Promise<Page> {
    const { viewer, paths } = await this.account(id);
    return invitePage(paths, viewer);
  }

  @PostForm('invite')
  async invite(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @BodyReadBy(readInvitation) form: ReturnType<typeof readInvitation>,
  ): Promise<Page> {
    try {
      return this.linkMade(id, await this.administration.invite(authorOf(me, id), form));
    } catch (error) {
      return again(error, await this.inviteForm(id), 'conflict', 'invalid_value');
    }
  }

  @Get(':person')
  async show(@IdParam() id: number, @PersonParam() personId: number): Promise<Page> {
    const { viewer, paths } = await this.account(id);
    return personPage(paths, viewer, await this.people.one(id, personId));
  }

  @PostForm(':person/role')
  setRole(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
    @BodyReadBy(readRole) asked: ReturnType<typeof readRole>,
  ): Promise<Reply> {
    return this.told(id, personId, async () => {
      const { name, role } = await this.administration.setRole(authorOf(me, id), personId, asked.role);
      return `${name} now has the role ${roleName(role).toLowerCase()}.`;
    });
  }

  @Post(':person/link')
  async makeLink(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Page> {
    try {
      return this.linkMade(id, await this.administration.makeLink(authorOf(me, id), personId));
    } catch (error) {
      return again(error, await this.show(id, personId), 'conflict');
    }
  }

  @Post(':person/second-step/remove')
  removeSecondStep(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Reply> {
    return this.told(id, personId, async () => {
      const { name } = await this.administration.removeSecondFactor(authorOf(me, id), personId);
      return `${name} no longer needs a code to sign in.`;
    });
  }

  @Post(':person/disable')
  disable(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Reply> {
    return this.told(id, personId, async () => {
      const { name } = await this.administration.disable(authorOf(me, id), personId);
      return `${name} is signed out everywhere, and can no longer sign in.`;
    });
  }

  @Post(':person/enable')
  enable(
    @CurrentPerson() me: DeskPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Reply> {
    return this.told(id, personId, async () => {
      const { name } = await this.administration.enable(authorOf(me, id), personId);
      return `${name} can sign in again.`;
    });
  }

  private async told(id: number, personId: number, work: () => Promise<string>): Promise<Reply> {
    try {
      return seeOther(`${clientPeoplePath(id)}/${personId}`, await work());
    } catch (error) {
      return again(error, await this.show(id, personId), 'conflict');
    }
  }

  /** The pages that an owner sees. No person of the client is the viewer. */
  private async account(id: number) {
    const client = await this.clients.show(id);
    const viewer = { id: 0, clientId: id, clientName: client.name, role: 'owner' } as const;
    return { client, viewer, paths: accountPaths(clientPath(id)) };
  }

  /** The admin sees the link even if it was mailed: the client may be on the phone. */
  private async linkMade(id: number, person: PersonWithLink): Promise<Page> {
    const { paths } = await this.account(id);
    return linkMadePage(paths, person);
  }
}
