import { applyDecorators, Controller } from '@nestjs/common';
import { PagesIn } from '../../pages/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import { dashboardFrame } from './dashboard-frame.js';

/** A controller of pages below /dashboard. */
export function DashboardPages(path = ''): ClassDecorator {
  return applyDecorators(Controller(`dashboard/${path}`), Open(), PagesIn(dashboardFrame));
}
