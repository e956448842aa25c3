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
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { exampleCall } from '../tokens.js';
import { requestPage } from './request-page.js';
import { nothingKeptPage, requestsPage } from './requests-page.js';
import { filterOf, type RequestsDoor, type RequestsQuery, type Span } from './requests-query.js';

type Of = Pick<ClientPerson, 'clientId' | 'timeZone'>;

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

  async list(of: Of, door: RequestsDoor, { chosen, after }: RequestsQuery): Promise<Page> {
    if (this.days === 0) return nothingKeptPage();
    const { clientId, timeZone } = of;
    const begins = this.beginnings(chosen.span, timeZone);
    const period = periodIn(begins, chosen.at);
    const [page, figures, known, tokens] = await Promise.all([
      this.history.list(clientId, filterOf(chosen, period), after),
      this.figures.byPeriod(clientId, begins),
      this.figures.known(clientId),
      this.tokens.good(of),
    ]);
    const firstCall = exampleCall(this.address.publicUrl, tokens);
    return requestsPage({
      chosen: { ...chosen, door },
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

  async show(of: Of, door: RequestsDoor, id: string): Promise<Page> {
    const request = await this.history.find(of.clientId, id);
    return requestPage({ request, token: await this.tokens.named(of, request.tokenId), door });
  }

  private beginnings(span: Span, timeZone: string): Date[] {
    // The list and the home page begin a day ago, within the first of 25 hours.
    return span === 'day' ? lastHours(25, Date.now()) : lastDays(this.days, Date.now(), timeZone);
  }
}
