import { Get, Param } from '@nestjs/common';
import { ClientAdministration } from '../../../clients/client-administration.service.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { IdParam } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { RequestPages } from '../../shared/requests/request-pages.js';
import {
  readRequestsQuery,
  type RequestsDoor,
  type RequestsQuery,
} from '../../shared/requests/requests-query.js';
import { DeskPages } from '../desk-pages.js';
import { clientRequestsPath, clientTokensPath, orderPath } from '../paths.js';
import { backToClient, ClientTabs } from './client-page.js';

const doorOf = (clientId: number): RequestsDoor => ({
  list: clientRequestsPath(clientId),
  tokens: clientTokensPath(clientId),
  order: orderPath,
  advice: 'The store got this id too, in the header X-Request-Id.',
});

/** The calls of a client's store, on the pages that the client sees. */
@DeskPages('clients/:id/requests', 'staff')
export class ClientRequestsController {
  constructor(
    private readonly clients: ClientAdministration,
    private readonly pages: RequestPages,
  ) {}

  @Get()
  async list(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @QueryReadBy(readRequestsQuery) query: RequestsQuery,
  ): Promise<Page> {
    const client = await this.clients.show(id);
    const page = await this.pages.list({ ...me, clientId: id }, doorOf(id), query);
    return {
      ...page,
      back: backToClient(client),
      content: (
        <>
          <ClientTabs id={id} at={clientRequestsPath(id)} isAdmin={hasRole(me, 'admin')} />
          {page.content}
        </>
      ),
    };
  }

  @Get(':request')
  show(@Me() me: DeskPerson, @IdParam() id: number, @Param('request') request: string): Promise<Page> {
    return this.pages.show({ ...me, clientId: id }, doorOf(id), request);
  }
}
