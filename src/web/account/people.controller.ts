import { Get, Injectable, Post } from '@nestjs/common';
import { idIn, orAgain, readTexts } from '../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { type Administrator, requireManager } from '../../modules/people/administrator.js';
import {
  PeopleAdministrationService,
  type PersonWithLink,
} from '../../modules/people/people-administration.service.js';
import { PeopleListService } from '../../modules/people/people-list.service.js';
import { roleName } from '../../modules/people/roles.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { AccountPaths } from './account-paths.js';
import { invitePage, linkMadePage, peoplePage, personPage, type Viewer } from './people-pages.js';
import { Visit } from './page-request.js';

/** `id` is that of a client, if an employee manages its people. */
type About = Visit<'person'>;

/** The account whose people the pages show. */
export interface PeopleAccount {
  paths: AccountPaths;
  viewer: Viewer;
  by: Administrator;
}

@Injectable()
export abstract class PeopleController {
  constructor(
    private readonly people: PeopleListService,
    private readonly administration: PeopleAdministrationService,
  ) {}

  protected abstract account(me: SignedInPerson, clientId: number): Promise<PeopleAccount> | PeopleAccount;

  @Get()
  async list(@Visit() { me, id }: Visit): Promise<Page> {
    const account = await this.account(me, id);
    const { paths, viewer } = account;
    return this.listOf(account, peoplePage(paths, viewer, await this.people.seenBy(viewer)));
  }

  /** Adds content around the list. */
  protected listOf(_account: PeopleAccount, page: Page): Page {
    return page;
  }

  @Get('invite')
  async inviteForm(@Visit() { me, id }: Visit): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    requireManager(by);
    return invitePage(paths, viewer);
  }

  @PostForm('invite')
  async invite(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const form = readTexts('email', 'role')(fields);
    const { paths, viewer, by } = await this.account(me, id);
    const invited = async () => linkMade(paths, await this.administration.invite(by, form));
    return orAgain(invited, () => invitePage(paths, viewer), 'conflict', 'invalid_value');
  }

  @Get(':person')
  async show(@Visit() { me, id, person }: About): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    return personPage(paths, viewer, await this.administration.show(by, idIn(person)));
  }

  @PostForm(':person/role')
  setRole(@Visit() about: About): Promise<Reply> {
    return this.changed(about, async (by, id) => {
      const asked = readTexts('role', 'shown')(about.fields);
      const { name, role } = await this.administration.setRole(by, id, asked.role, asked.shown || undefined);
      return `${name} now has the role ${roleName(role).toLowerCase()}.`;
    });
  }

  @Post(':person/link')
  async makeLink(@Visit() about: About): Promise<Reply> {
    const { paths, by } = await this.account(about.me, about.id);
    const made = async () => linkMade(paths, await this.administration.makeLink(by, idIn(about.person)));
    return orAgain(made, () => this.show(about), 'conflict');
  }

  @Post(':person/second-step/remove')
  removeSecondStep(@Visit() about: About): Promise<Reply> {
    return this.changed(about, async (by, id) => {
      const { name } = await this.administration.removeSecondFactor(by, id);
      return `${name} is signed out everywhere, and no longer needs a code to sign in.`;
    });
  }

  @Post(':person/disable')
  disable(@Visit() about: About): Promise<Reply> {
    return this.changed(about, async (by, id) => {
      const { name } = await this.administration.disable(by, id);
      return `${name} is signed out everywhere, and can no longer sign in.`;
    });
  }

  @Post(':person/enable')
  enable(@Visit() about: About): Promise<Reply> {
    return this.changed(about, async (by, id) => {
      const { name } = await this.administration.enable(by, id);
      return `${name} can sign in again.`;
    });
  }

  private async changed(
    about: About,
    work: (by: Administrator, personId: number) => Promise<string>,
  ): Promise<Reply> {
    const personId = idIn(about.person);
    const { paths, viewer, by } = await this.account(about.me, about.id);
    const changed = async () => {
      const done = await work(by, personId);
      // A person who no longer manages people may only see the list.
      return seeOther(personId === viewer.id ? paths.people : paths.person(personId), done);
    };
    return orAgain(changed, () => this.show(about), 'conflict');
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
