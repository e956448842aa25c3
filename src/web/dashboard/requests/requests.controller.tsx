import { Get } from '@nestjs/common';
import type { Page } from '../../../shared/ui/page.js';
import { RequestPages } from '../../shared/requests/request-pages.js';
import { readRequestsQuery, type RequestPageLinks } from '../../shared/requests/requests-query.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { Wholesaler } from '../home/help-page.js';
import { API_ACCESS, orderPath, REQUESTS } from '../paths.js';

const PAGE_LINKS: RequestPageLinks = {
  list: REQUESTS,
  tokens: API_ACCESS,
  order: orderPath,
  advice: (
    <>
      Give <Wholesaler /> this id. Your store also received it, in the header X-Request-Id of the answer.
    </>
  ),
  isDesk: false,
};

@DashboardPages('requests')
export class RequestsController {
  constructor(private readonly pages: RequestPages) {}

  @Get()
  list(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Page> {
    return this.pages.list(me, PAGE_LINKS, readRequestsQuery(fields));
  }

  @Get(':id')
  show(@ClientPageRequest() { me, idText }: ClientPageRequest): Promise<Page> {
    return this.pages.show(me, PAGE_LINKS, idText);
  }
}
