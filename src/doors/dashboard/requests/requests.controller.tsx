import { Get, Param } from '@nestjs/common';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import type { Page } from '../../../pages/page.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { QueryReadBy } from '../../../platform/validation/read-by.decorators.js';
import { RequestPages } from '../../shared/requests/request-pages.js';
import {
  readRequestsQuery,
  type RequestsDoor,
  type RequestsQuery,
} from '../../shared/requests/requests-query.js';
import { DashboardPages } from '../dashboard-pages.js';
import { Wholesaler } from '../home/help-page.js';
import { API_ACCESS, orderPath, REQUESTS } from '../paths.js';

const DOOR: RequestsDoor = {
  list: REQUESTS,
  tokens: API_ACCESS,
  order: orderPath,
  advice: (
    <>
      Give <Wholesaler /> this id. Your store also got it, in the header X-Request-Id.
    </>
  ),
};

@DashboardPages('requests')
export class RequestsController {
  constructor(private readonly pages: RequestPages) {}

  @Get()
  list(@Me() me: ClientPerson, @QueryReadBy(readRequestsQuery) query: RequestsQuery): Promise<Page> {
    return this.pages.list(me, DOOR, query);
  }

  @Get(':id')
  show(@Me() me: ClientPerson, @Param('id') id: string): Promise<Page> {
    return this.pages.show(me, DOOR, id);
  }
}
