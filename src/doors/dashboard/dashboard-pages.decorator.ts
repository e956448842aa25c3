import { applyDecorators, Controller } from '@nestjs/common';
import { PagesIn } from '../../pages/pages-in.decorator.js';
import { SignedIn } from '../../platform/access/access-rule.js';
import { dashboardFrame } from './dashboard-frame.js';

/** A controller of pages below /dashboard, for people who are signed in: a page for everybody says `@Open()` itself. */
export function DashboardPages(path = ''): ClassDecorator {
  return applyDecorators(Controller(`dashboard/${path}`), SignedIn(), PagesIn(dashboardFrame));
}
