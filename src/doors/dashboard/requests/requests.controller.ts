import { Get, Inject, Param } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { TokenOverview } from '../../../auth/tokens/token-overview.js';
import type { Page } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { lastDays, lastHours, RequestFigures } from '../../../activity/history/request-figures.js';
import { RequestHistory } from '../../../activity/history/request-history.js';
import { exampleCall } from '../api-access/api-access-page.js';
import { DashboardPages } from '../dashboard-pages.js';
import { nothingKeptPage, requestsPage } from './requests-page.js';
import { requestPage } from './request-page.js';
import { filterOf, periodIn, readRequestsQuery, type RequestsQuery, type Span } from './requests-query.js';

@DashboardPages('requests')
export class RequestsController {
  private readonly days: number;

  constructor(
    private readonly history: RequestHistory,
    private readonly figures: RequestFigures,
    private readonly tokens: TokenOverview,
    private readonly address: OwnAddress,
    @Inject(SETTINGS) { requestLogDays }: Settings,
  ) {
    this.days = requestLogDays;
  }

  @Get()
  async list(
    @CurrentPerson() person: ClientPerson,
    @QueryReadBy(readRequestsQuery) { chosen, after }: RequestsQuery,
  ): Promise<Page> {
    if (this.days === 0) return nothingKeptPage();
    const { clientId, timeZone } = person;
    const begins = this.beginnings(chosen.span, person);
    const period = periodIn(begins, chosen);
    const [page, figures, known, tokens] = await Promise.all([
      this.history.list(clientId, filterOf(chosen, period), after),
      this.figures.byPeriod(clientId, begins),
      this.figures.known(clientId),
      this.tokens.good(person),
    ]);
    const firstCall = exampleCall(this.address.publicUrl, tokens);
    return requestsPage({
      chosen,
      period,
      timeZone,
      after,
      page,
      figures,
      known,
      days: this.days,
      firstCall,
    });
  }

  @Get(':id')
  async show(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<Page> {
    const request = await this.history.find(person.clientId, id);
    return requestPage({ request, token: await this.tokens.named(person, request.tokenId) });
  }

  private beginnings(span: Span, { timeZone }: ClientPerson): Date[] {
    return span === 'day' ? lastHours(24, Date.now()) : lastDays(this.days, Date.now(), timeZone);
  }
}
