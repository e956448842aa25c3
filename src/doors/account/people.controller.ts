import { Get, Injectable, Post } from '@nestjs/common';
import { roleName } from '../../auth/people/roles.js';
import { PeopleAdministration, type PersonWithLink } from '../../auth/people/people-administration.js';
import { PeopleList } from '../../auth/people/people-list.js';
import type { SignedInPerson } from '../../auth/people/signed-in-person.js';
import { requireManager } from '../../auth/people/administrator.js';
import { again, IdParam, readTexts } from '../../pages/forms.js';
import { PostForm } from '../../pages/pages-in.decorator.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../pages/page.js';
import { CurrentPerson } from '../../platform/access/access.decorators.js';
import { BodyReadBy } from '../../platform/validation/readers.js';
import type { AccountPaths } from './account-paths.js';
import { invitePage, linkMadePage, peoplePage } from './people-pages.js';
import { personPage } from './person-page.js';

const readRole = readTexts('role');
const readInvitation = readTexts('email', 'role');

@Injectable()
export abstract class PeopleController {
  protected abstract readonly paths: AccountPaths;

  constructor(
    private readonly people: PeopleList,
    private readonly administration: PeopleAdministration,
  ) {}

  @Get()
  async list(@CurrentPerson() me: SignedInPerson): Promise<Page> {
    return peoplePage(this.paths, me, await this.people.seenBy(me));
  }

  @Get('invite')
  inviteForm(@CurrentPerson() me: SignedInPerson): Page {
    requireManager(me);
    return invitePage(this.paths, me);
  }

  @PostForm('invite')
  async invite(
    @CurrentPerson() me: SignedInPerson,
    @BodyReadBy(readInvitation) form: ReturnType<typeof readInvitation>,
  ): Promise<Reply> {
    try {
      return this.linkMade(await this.administration.invite(me, form));
    } catch (error) {
      return again(error, invitePage(this.paths, me));
    }
  }

  @Get(':id')
  async show(@CurrentPerson() me: SignedInPerson, @IdParam() id: number): Promise<Page> {
    return personPage(this.paths, me, await this.administration.show(me, id));
  }

  @PostForm(':id/role')
  async setRole(
    @CurrentPerson() me: SignedInPerson,
    @IdParam() id: number,
    @BodyReadBy(readRole) asked: ReturnType<typeof readRole>,
  ): Promise<SeeOther> {
    const { name, role } = await this.administration.setRole(me, id, asked.role);
    // A person who no longer manages people may only see the list.
    const path = id === me.id ? this.paths.people : this.paths.person(id);
    return seeOther(path, `${name} now has the role ${roleName(role).toLowerCase()}.`);
  }

  @Post(':id/link')
  async makeLink(@CurrentPerson() me: SignedInPerson, @IdParam() id: number): Promise<Reply> {
    return this.linkMade(await this.administration.makeLink(me, id));
  }

  @Post(':id/second-step/remove')
  async removeSecondStep(@CurrentPerson() me: SignedInPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.removeSecondFactor(me, id);
    return seeOther(this.paths.person(id), `${name} no longer needs a code to sign in.`);
  }

  @Post(':id/disable')
  async disable(@CurrentPerson() me: SignedInPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.disable(me, id);
    return seeOther(this.paths.people, `${name} is signed out everywhere, and can no longer sign in.`);
  }

  @Post(':id/enable')
  async enable(@CurrentPerson() me: SignedInPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name } = await this.administration.enable(me, id);
    return seeOther(this.paths.person(id), `${name} can sign in again.`);
  }

  /** A mailed link is not shown here. Without mail the answer to the form shows it once. */
  private linkMade(person: PersonWithLink): Reply {
    if (person.url !== null) return linkMadePage(this.paths, person);
    const what = person.link!.kind === 'invitation' ? 'An invitation' : 'A link for a new password';
    return seeOther(this.paths.people, `${what} is on its way to ${person.email}.`);
  }
}
