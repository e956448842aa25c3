import { Get } from '@nestjs/common';
import type { Page } from '../../../shared/ui/page.js';
import { RequestPages } from '../../shared/requests/request-pages.js';
import { readRequestsQuery, type RequestsDoor } from '../../shared/requests/requests-query.js';
import { DashboardPages, Visit } from '../dashboard-pages.js';
import { Wholesaler } from '../home/help-page.js';
import { API_ACCESS, orderPath, REQUESTS } from '../paths.js';

const DOOR: RequestsDoor = {
  list: REQUESTS,
  tokens: API_ACCESS,
  order: orderPath,
  advice: (
    <>
      Give <Wholesaler /> this id. Your store also received it, in the header X-Request-Id of the answer.
    </>
  ),
};

@DashboardPages('requests')
export class RequestsController {
  constructor(private readonly pages: RequestPages) {}

  @Get()
  list(@Visit() { me, fields }: Visit): Promise<Page> {
    return this.pages.list(me, DOOR, readRequestsQuery(fields));
  }

  @Get(':id')
  show(@Visit() { me, uuid }: Visit): Promise<Page> {
    return this.pages.show(me, DOOR, uuid);
  }
}
