import { Inject } from '@nestjs/common';
import { PeopleListService } from '../../modules/people/people-list.service.js';
import { AtDesk } from '../../platform/access/access-rule.js';
import { roleWith } from '../../platform/access/desk-permissions.js';
import { DESK } from '../account/account-paths.js';
import { LinkController } from '../account/link.controller.js';
import { NoticesController } from '../account/notices.controller.js';
import { OwnPeopleController } from '../account/people.controller.js';
import { SecurityController } from '../account/security.controller.js';
import { SignInController } from '../account/sign-in.controller.js';
import { UnknownPageController } from '../account/unknown-page.controller.js';
import { DeskPages } from './desk-pages.js';

@DeskPages()
export class DeskSignInController extends SignInController {
  readonly paths = DESK;
  @Inject(PeopleListService) private readonly people: PeopleListService;
  private hasAdmin = false;

  /** The form opens while the database is away, too. Once there is an admin, it needs no database. */
  protected override async lacksAdmin(): Promise<boolean> {
    if (this.hasAdmin) return false;
    try {
      this.hasAdmin = await this.people.hasAdmin();
    } catch {
      return false;
    }
    return !this.hasAdmin;
  }
}

@DeskPages()
export class DeskLinkController extends LinkController {
  readonly paths = DESK;
}

/** Here a person sets up the second step, which all other pages require. */
@AtDesk(roleWith('use the desk'), 'without second step')
@DeskPages('security')
export class DeskSecurityController extends SecurityController {
  readonly paths = DESK;
}

@DeskPages('notices')
export class DeskNoticesController extends NoticesController {
  readonly paths = DESK;
}

@DeskPages('people')
export class DeskPeopleController extends OwnPeopleController {
  readonly paths = DESK;
}

@AtDesk(roleWith('use the desk'))
@DeskPages()
export class DeskUnknownPageController extends UnknownPageController {}
