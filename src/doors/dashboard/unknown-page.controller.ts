import { All, Req } from '@nestjs/common';
import { Open } from '../../platform/access/access-rule.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { allowedMethods } from '../../platform/http/allowed-methods.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { DashboardPages } from './dashboard-pages.decorator.js';

/** Whatever no page of the dashboard serves: it must come last. */
@DashboardPages()
export class UnknownPageController {
  @Open()
  @All(['', '*path'])
  unknown(@Req() request: ApiRequest): never {
    const allowed = allowedMethods(request.app, request.path);
    if (allowed.length === 0) throw new DomainError('route_not_found', 'There is no such page.');
    request.res!.setHeader('Allow', allowed.join(', '));
    throw new DomainError('method_not_allowed', 'This page is not made for being asked like that.');
  }
}
