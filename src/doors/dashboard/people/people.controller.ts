import { Get, Post } from '@nestjs/common';
import { roleName } from '../../../auth/people/roles.js';
import { PeopleAdministration, type PersonWithLink } from '../../../auth/people/people-administration.js';
import { PeopleList } from '../../../auth/people/people-list.js';
import { type ClientPerson, requireRole } from '../../../auth/people/signed-in-person.js';
import { again, readTexts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages, PostForm } from '../dashboard-pages.js';
import { IdParam, PEOPLE, personPath } from '../paths.js';
import { invitePage, linkMadePage, peoplePage } from './people-pages.js';
import { personPage } from './person-page.js';

const readRole = readTexts('role');
const readInvitation = readTexts('email', 'role');

@DashboardPages('people')
export class PeopleController {
  constructor(
    private readonly people: PeopleList,
    private readonly administration: PeopleAdministration,
  ) {}

  @Get()
  async list(@CurrentPerson() me: ClientPerson): Promise<Page> {
    return peoplePage(me, await this.people.seenBy(me));
  }

  @Get('invite')
  inviteForm(@CurrentPerson() me: ClientPerson): Page {
    requireRole(me, 'owner');
    return invitePage();
  }

  @PostForm('invite')
  async invite(
    @CurrentPerson() me: ClientPerson,
    @BodyReadBy(readInvitation) form: ReturnType<typeof readInvitation>,
  ): Promise<Page | SeeOther> {
    try {
      return linkMade(await this.administration.invite(me, form));
    } catch (error) {
      return again(error, invitePage());
    }
  }

  @Get(':id')
  async show(@CurrentPerson() me: ClientPerson, @IdParam() id: number): Promise<Page> {
    return personPage(me, await this.administration.show(me, id));
  }

  @PostForm(':id/role')
  async setRole(
    @CurrentPerson() me: ClientPerson,
    @IdParam() id: number,
    @BodyReadBy(readRole) asked: ReturnType<typeof readRole>,
  ): Promise<SeeOther> {
    const { name, role } = await this.administration.setRole(me, id, asked.role);
    // A person who stops being an owner may only see the list.
    const path = id === me.id ? PEOPLE : personPath(id);
    return seeOther(path, `${name} now has the role ${roleName(role).toLowerCase()}.`);
  }

  @Post(':id/link')
  async makeLink(@CurrentPerson() me: ClientPerson, @IdParam() id: number): Promise<Page | SeeOther> {
    return linkMade(await this.administration.makeLink(me, id));
  }

  @Post(':id/second-step/remove')
  async removeSecondStep(@CurrentPerson() me: ClientPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.removeSecondFactor(me, id);
    return seeOther(personPath(id), `${name} no longer needs a code to sign in.`);
  }

  @Post(':id/disable')
  async disable(@CurrentPerson() me: ClientPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.disable(me, id);
    return seeOther(PEOPLE, `${name} is signed out everywhere, and can no longer sign in.`);
  }

  @Post(':id/enable')
  async enable(@CurrentPerson() me: ClientPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.enable(me, id);
    return seeOther(personPath(id), `${name} can sign in again.`);
  }
}

/** A mailed link is not shown here. Without mail the answer to the form shows it once. */
function linkMade(person: PersonWithLink): Page | SeeOther {
  if (person.url !== null) return linkMadePage(person);
  const what = person.link!.kind === 'invitation' ? 'An invitation' : 'A link for a new password';
  return seeOther(PEOPLE, `${what} is on its way to ${person.email}.`);
}
