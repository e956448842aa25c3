import { Get, Injectable, Post } from '@nestjs/common';
import { roleName } from '../../people/roles.js';
import { PeopleAdministration, type PersonWithLink } from '../../people/people-administration.service.js';
import { PeopleList } from '../../people/people-list.service.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import { type Administrator, requireManager } from '../../people/administrator.js';
import { again, IdParam, Texts } from '../../pages/forms.js';
import { PostForm } from '../../pages/pages-in.decorator.js';
import { type Page, type Reply, seeOther } from '../../pages/page.js';
import { Me } from '../../platform/access/access.decorators.js';
import type { AccountPaths } from './account-paths.js';
import { invitePage, linkMadePage, peoplePage } from './people-pages.js';
import { personPage, type Viewer } from './person-page.js';

const PersonParam = () => IdParam('person');

/** Whose people the pages are about. */
export interface PeopleAccount {
  paths: AccountPaths;
  viewer: Viewer;
  by: Administrator;
}

/** The people of an account. `:id` is the client, if an employee manages its people. */
@Injectable()
export abstract class PeopleController {
  constructor(
    private readonly people: PeopleList,
    private readonly administration: PeopleAdministration,
  ) {}

  protected abstract account(me: SignedInPerson, clientId: number): Promise<PeopleAccount> | PeopleAccount;

  @Get()
  async list(@Me() me: SignedInPerson, @IdParam() id: number): Promise<Page> {
    const account = await this.account(me, id);
    const { paths, viewer } = account;
    return this.listOf(account, peoplePage(paths, viewer, await this.people.seenBy(viewer)));
  }

  /** What stands around the list. */
  protected listOf(_account: PeopleAccount, page: Page): Page {
    return page;
  }

  @Get('invite')
  async inviteForm(@Me() me: SignedInPerson, @IdParam() id: number): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    requireManager(by);
    return invitePage(paths, viewer);
  }

  @PostForm('invite')
  async invite(
    @Me() me: SignedInPerson,
    @IdParam() id: number,
    @Texts('email', 'role') form: Texts<'email' | 'role'>,
  ): Promise<Reply> {
    const { paths, viewer, by } = await this.account(me, id);
    try {
      return linkMade(paths, await this.administration.invite(by, form));
    } catch (error) {
      return again(error, invitePage(paths, viewer), 'conflict', 'invalid_value');
    }
  }

  @Get(':person')
  async show(
    @Me() me: SignedInPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    return personPage(paths, viewer, await this.administration.show(by, personId));
  }

  @PostForm(':person/role')
  setRole(
    @Me() me: SignedInPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
    @Texts('role', 'shown') asked: Texts<'role' | 'shown'>,
  ): Promise<Reply> {
    return this.changed(me, id, personId, async (by) => {
      const { name, role } = await this.administration.setRole(
        by,
        personId,
        asked.role,
        asked.shown || undefined,
      );
      return `${name} now has the role ${roleName(role).toLowerCase()}.`;
    });
  }

  @Post(':person/link')
  async makeLink(
    @Me() me: SignedInPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Reply> {
    const { paths, by } = await this.account(me, id);
    try {
      return linkMade(paths, await this.administration.makeLink(by, personId));
    } catch (error) {
      return again(error, await this.show(me, id, personId), 'conflict');
    }
  }

  @Post(':person/second-step/remove')
  removeSecondStep(
    @Me() me: SignedInPerson,
    @IdParam() id: number,
    @PersonParam() personId: number,
  ): Promise<Reply> {
    return this.changed(me, id, personId, async (by) => {
      const { name } = await this.administration.removeSecondFactor(by, personId);
      return `${name} is signed out everywhere, and no longer needs a code to sign in.`;
    });
  }

  @Post(':person/disable')
  disable(@Me() me: SignedInPerson, @IdParam() id: number, @PersonParam() personId: number): Promise<Reply> {
    return this.changed(me, id, personId, async (by) => {
      const { name } = await this.administration.disable(by, personId);
      return `${name} is signed out everywhere, and can no longer sign in.`;
    });
  }

  @Post(':person/enable')
  enable(@Me() me: SignedInPerson, @IdParam() id: number, @PersonParam() personId: number): Promise<Reply> {
    return this.changed(me, id, personId, async (by) => {
      const { name } = await this.administration.enable(by, personId);
      return `${name} can sign in again.`;
    });
  }

  private async changed(
    me: SignedInPerson,
    id: number,
    personId: number,
    work: (by: Administrator) => Promise<string>,
  ): Promise<Reply> {
    const { paths, viewer, by } = await this.account(me, id);
    try {
      const done = await work(by);
      // A person who no longer manages people may only see the list.
      return seeOther(personId === viewer.id ? paths.people : paths.person(personId), done);
    } catch (error) {
      return again(error, await this.show(me, id, personId), 'conflict');
    }
  }
}

/** The people of the account that is signed in. */
@Injectable()
export abstract class OwnPeopleController extends PeopleController {
  protected abstract readonly paths: AccountPaths;

  protected account(me: SignedInPerson): PeopleAccount {
    return { paths: this.paths, viewer: me, by: me };
  }
}

/** A link that was mailed is for that person only. Else the answer to the form shows it, once. */
function linkMade(paths: AccountPaths, person: PersonWithLink): Reply {
  if (person.url !== null) return linkMadePage(paths, person);
  const what = person.link!.kind === 'invitation' ? 'An invitation' : 'A link for a new password';
  return seeOther(paths.people, `${what} is on its way to ${person.email}.`);
}
