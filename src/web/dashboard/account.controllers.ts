import { DASHBOARD } from '../account/account-paths.js';
import { LinkController } from '../account/link.controller.js';
import { NoticesController } from '../account/notices.controller.js';
import { OwnPeopleController } from '../account/people.controller.js';
import { SecurityController } from '../account/security.controller.js';
import { SignInController } from '../account/sign-in.controller.js';
import { UnknownPageController } from '../account/unknown-page.controller.js';
import { DashboardPages } from './dashboard-pages.js';

@DashboardPages()
export class DashboardSignInController extends SignInController {
  readonly paths = DASHBOARD;
}

@DashboardPages()
export class DashboardLinkController extends LinkController {
  readonly paths = DASHBOARD;
}

@DashboardPages('security', 'in person')
export class DashboardSecurityController extends SecurityController {
  readonly paths = DASHBOARD;
}

@DashboardPages('notices', 'in person')
export class DashboardNoticesController extends NoticesController {
  readonly paths = DASHBOARD;
}

@DashboardPages('people', 'in person')
export class DashboardPeopleController extends OwnPeopleController {
  readonly paths = DASHBOARD;
}

@DashboardPages()
export class DashboardUnknownPageController extends UnknownPageController {}
