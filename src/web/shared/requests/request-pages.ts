import { Inject, Injectable } from '@nestjs/common';
import {
  lastDays,
  lastHours,
  periodIn,
  RequestFigures,
} from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import { RequestHistory } from '../../../modules/request-log/kept-requests/request-history.repository.js';
import { ClientTokensService } from '../../../modules/auth/tokens/client-tokens.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { curlLine, exampleCredentials } from '../tokens.js';
import { requestPage } from './request-page.js';
import { loggingOffPage, requestsPage } from './requests-page.js';
import { filterOf, type RequestPageLinks, type RequestsQuery, type Span } from './requests-query.js';

type RequestOwner = Pick<ClientPerson, 'clientId' | 'timeZone'>;

/** The pages about the calls of a store, on the dashboard and on the desk. */
@Injectable()
export class RequestPages {
  private readonly days: number;

  constructor(
    private readonly history: RequestHistory,
    private readonly figures: RequestFigures,
    private readonly tokens: ClientTokensService,
    private readonly address: OwnAddress,
    @Inject(SETTINGS) { requestLogDays }: Settings,
  ) {
    this.days = requestLogDays;
  }

  async list(owner: RequestOwner, links: RequestPageLinks, { filter, after }: RequestsQuery): Promise<Page> {
    if (this.days === 0) return loggingOffPage();
    const { clientId, timeZone } = owner;
    const begins = this.periodStarts(filter.span, timeZone);
    const period = periodIn(begins, filter.at);
    const { tokens, ...data } = await resolveAll({
      page: this.history.list(clientId, filterOf(filter, period), after),
      figures: this.figures.byPeriod(clientId, begins),
      knownOutcomes: this.figures.readOutcomes(clientId),
      tokens: this.tokens.listValid(owner),
    });
    const firstCall = curlLine(this.address.publicUrl, exampleCredentials(tokens));
    const view = { filter: { ...filter, links }, period, timeZone, after, days: this.days };
    return requestsPage({ ...view, ...data, firstCall });
  }

  async show(owner: RequestOwner, links: RequestPageLinks, id: string): Promise<Page> {
    const request = await this.history.find(owner.clientId, id);
    return requestPage({ request, token: await this.tokens.findAny(owner, request.tokenId), links });
  }

  private periodStarts(span: Span, timeZone: string): Date[] {
    // The list and the home page begin a day ago, within the first of 25 hours.
    return span === 'day' ? lastHours(25, Date.now()) : lastDays(this.days, Date.now(), timeZone);
  }
}
