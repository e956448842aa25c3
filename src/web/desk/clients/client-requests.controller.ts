import { Get } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { may } from '../../../platform/access/signed-in-person.js';
import type { Page } from '../../../shared/ui/page.js';
import { RequestPages } from '../../shared/requests/request-pages.js';
import { readRequestsQuery, type RequestPageLinks } from '../../shared/requests/requests-query.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { clientPaths, orderPath } from '../paths.js';
import { clientPage } from './client-page.js';

const requestPathsOf = (clientId: number): RequestPageLinks => ({
  list: clientPaths(clientId).requests,
  tokens: clientPaths(clientId).tokens,
  order: orderPath,
  advice: 'The store got this id too, in the header X-Request-Id.',
  isDesk: true,
});

/** The calls of a client's store, on the pages that the client sees. */
@DeskPages('clients/:id/requests')
export class ClientRequestsController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly pages: RequestPages,
  ) {}

  @Get()
  async list(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Page> {
    const client = await this.clients.show(id);
    const page = await this.pages.list(
      { ...me, clientId: id },
      requestPathsOf(id),
      readRequestsQuery(fields),
    );
    return clientPage(client, clientPaths(id).requests, may(me, 'manage people'), page);
  }

  @Get(':request')
  show(@DeskPageRequest() { me, id, request }: DeskPageRequest<'request'>): Promise<Page> {
    return this.pages.show({ ...me, clientId: id }, requestPathsOf(id), request);
  }
}
