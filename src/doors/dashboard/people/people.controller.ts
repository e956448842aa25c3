import { Get, Param, Post, Req } from '@nestjs/common';
import { roleName } from '../../../auth/people/roles.js';
import { PeopleAdministration, type PersonWithLink } from '../../../auth/people/people-administration.js';
import { PeopleList } from '../../../auth/people/people-list.js';
import { type ClientPerson, requireRole } from '../../../auth/people/signed-in-person.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { textIn, withFaults } from '../../../pages/forms.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { idIn, PEOPLE, personPath } from '../paths.js';
import { type InviteForm, invitePage, linkMadePage, peoplePage } from './people-pages.js';
import { personPage } from './person-page.js';

const readRole = (fields: FormFields) => textIn(fields, 'role');
const readInvitation = (fields: FormFields): InviteForm => ({
  email: textIn(fields, 'email'),
  role: textIn(fields, 'role'),
});

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

  @Post('invite')
  @TakesForm()
  async invite(
    @CurrentPerson() me: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readInvitation) form: InviteForm,
  ): Promise<Page | SeeOther> {
    try {
      return linkMade(await this.administration.invite(me, form));
    } catch (error) {
      return withFaults(error, request, (faults) => invitePage(form, faults));
    }
  }

  @Get(':id')
  async show(@CurrentPerson() me: ClientPerson, @Param('id') id: string): Promise<Page> {
    return personPage(me, await this.administration.show(me, idIn(id)));
  }

  @Post(':id/role')
  @TakesForm()
  async setRole(
    @CurrentPerson() me: ClientPerson,
    @Param('id') id: string,
    @BodyReadBy(readRole) asked: string,
  ): Promise<SeeOther> {
    const { name, role } = await this.administration.setRole(me, idIn(id), asked);
    // A person who stops being an owner may only see the list.
    const path = idIn(id) === me.id ? PEOPLE : personPath(idIn(id));
    return seeOther(path, `${name} now has the role ${roleName(role).toLowerCase()}.`);
  }

  @Post(':id/link')
  async makeLink(@CurrentPerson() me: ClientPerson, @Param('id') id: string): Promise<Page | SeeOther> {
    return linkMade(await this.administration.makeLink(me, idIn(id)));
  }

  @Post(':id/second-step/remove')
  async removeSecondStep(@CurrentPerson() me: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    const { name } = await this.administration.removeSecondFactor(me, idIn(id));
    return seeOther(personPath(idIn(id)), `${name} no longer needs a code to sign in.`);
  }

  @Post(':id/disable')
  async disable(@CurrentPerson() me: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    const { name } = await this.administration.disable(me, idIn(id));
    return seeOther(PEOPLE, `${name} is signed out everywhere, and can no longer sign in.`);
  }

  @Post(':id/enable')
  async enable(@CurrentPerson() me: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    const { name } = await this.administration.enable(me, idIn(id));
    return seeOther(personPath(idIn(id)), `${name} can sign in again.`);
  }
}

/** A mailed link is not shown here. Without mail the answer to the form shows it once. */
function linkMade(person: PersonWithLink): Page | SeeOther {
  if (person.url !== null) return linkMadePage(person);
  const what = person.link!.kind === 'invitation' ? 'An invitation' : 'A link for a new password';
  return seeOther(PEOPLE, `${what} is on its way to ${person.email}.`);
}
