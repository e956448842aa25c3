import { Get, Inject, Injectable, Post } from '@nestjs/common';
import { idIn, submitForm, readTexts } from '../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { NoticeChoicesService } from '../../modules/notices/notice-choices.service.js';
import { type Administrator, requireManager } from '../../modules/people/administrator.js';
import {
  PeopleAdministrationService,
  type PersonWithLink,
} from '../../modules/people/people-administration.service.js';
import { PeopleListService } from '../../modules/people/people-list.service.js';
import { roleName } from '../../modules/people/roles.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { AccountPaths } from './account-paths.js';
import { readNotices } from './notices-form.js';
import { invitePage, linkMadePage, peoplePage, personPage, type Viewer } from './people-pages.js';
import { PageRequest } from './page-request.js';

/** `id` is that of a client, if an employee manages its people. */
type PersonRequest = PageRequest<'person'>;

/** The account whose people the pages show. */
export interface PeopleAccount {
  paths: AccountPaths;
  viewer: Viewer;
  by: Administrator;
}

@Injectable()
export abstract class PeopleController {
  @Inject(NoticeChoicesService) private readonly notices: NoticeChoicesService;
  @Inject(SETTINGS) private readonly settings: Settings;

  constructor(
    private readonly people: PeopleListService,
    private readonly administration: PeopleAdministrationService,
  ) {}

  protected abstract account(me: SignedInPerson, clientId: number): Promise<PeopleAccount> | PeopleAccount;

  @Get()
  async list(@PageRequest() { me, id }: PageRequest): Promise<Page> {
    const account = await this.account(me, id);
    const { paths, viewer } = account;
    return this.listOf(account, peoplePage(paths, viewer, await this.people.listFor(viewer)));
  }

  /** Adds content around the list. */
  protected listOf(_account: PeopleAccount, page: Page): Page {
    return page;
  }

  @Get('invite')
  async inviteForm(@PageRequest() { me, id }: PageRequest): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    requireManager(by);
    return invitePage(paths, viewer);
  }

  @PostForm('invite')
  async invite(@PageRequest() { me, id, fields }: PageRequest): Promise<Reply> {
    const form = readTexts('email', 'role')(fields);
    const { paths, viewer, by } = await this.account(me, id);
    const invited = async () => linkMade(paths, await this.administration.invite(by, form));
    return submitForm(invited, () => invitePage(paths, viewer));
  }

  @Get(':person')
  async show(@PageRequest() { me, id, person }: PersonRequest): Promise<Page> {
    const { paths, viewer, by } = await this.account(me, id);
    const found = await this.administration.show(by, idIn(person));
    const { person_id: personId, role } = found;
    return personPage(paths, viewer, found, {
      choices: await this.notices.of({ id: personId, role, clientId: by.clientId }),
      areSent: this.notices.isEnabled,
      currency: this.settings.currency,
    });
  }

  @PostForm(':person/notices')
  setNotices(@PageRequest() request: PersonRequest): Promise<Reply> {
    return this.changePerson(request, async (by, id) => {
      await this.notices.set(by, readNotices(request.fields), id);
      return 'The notices are saved.';
    });
  }

  @PostForm(':person/role')
  setRole(@PageRequest() request: PersonRequest): Promise<Reply> {
    return this.changePerson(request, async (by, id) => {
      const form = readTexts('role', 'shown')(request.fields);
      const change = { role: form.role, reviewedRole: form.shown || undefined };
      const { name, role } = await this.administration.set(by, id, change);
      return `${name} now has the role ${roleName(role).toLowerCase()}.`;
    });
  }

  @Post(':person/link')
  async makeLink(@PageRequest() request: PersonRequest): Promise<Reply> {
    const { paths, by } = await this.account(request.me, request.id);
    const made = async () => linkMade(paths, await this.administration.makeLink(by, idIn(request.person)));
    return submitForm(made, () => this.show(request));
  }

  @Post(':person/second-step/remove')
  removeSecondStep(@PageRequest() request: PersonRequest): Promise<Reply> {
    return this.changePerson(request, async (by, id) => {
      const { name } = await this.administration.removeSecondFactor(by, id);
      return `${name} is signed out everywhere, and no longer needs a code to sign in.`;
    });
  }

  @Post(':person/disable')
  disable(@PageRequest() request: PersonRequest): Promise<Reply> {
    return this.changePerson(request, async (by, id) => {
      const { name, has_joined: hasJoined } = await this.administration.disable(by, id);
      return hasJoined
        ? `${name} is signed out everywhere, and can no longer sign in.`
        : `The invitation of ${name} no longer works.`;
    });
  }

  @Post(':person/enable')
  enable(@PageRequest() request: PersonRequest): Promise<Reply> {
    return this.changePerson(request, async (by, id) => {
      const { name } = await this.administration.enable(by, id);
      return `${name} is not disabled any more.`;
    });
  }

  private async changePerson(
    request: PersonRequest,
    change: (by: Administrator, personId: number) => Promise<string>,
  ): Promise<Reply> {
    const personId = idIn(request.person);
    const { paths, viewer, by } = await this.account(request.me, request.id);
    const changePerson = async () => {
      const notice = await change(by, personId);
      // A person who no longer manages people may only see the list.
      return seeOther(personId === viewer.id ? paths.people : paths.person(personId), notice);
    };
    return submitForm(changePerson, () => this.show(request));
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
