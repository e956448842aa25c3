import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { toInstants } from '../../../shared/ui/components/period-fields.js';
import type { Page } from '../../../shared/ui/page.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { SalesService } from '../../../modules/sales/sales.service.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { presetsOn, readReportQuery, reportPage, type ReportQuery } from './report-page.js';

/** The sales report of the command `report sales`, with the same figures. */
@DeskPages('reports')
export class ReportPagesController {
  constructor(
    private readonly sales: SalesService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const { timeZone, currency } = this.settings;
    const query = this.withDays(readReportQuery(fields));
    const client = query.clientId === undefined ? undefined : await this.clients.byId(query.clientId);
    const report = await this.sales.report(query.by, this.filterOf(query));
    return reportPage({ report, query, client: client?.name, today: this.today, timeZone, currency });
  }

  @Get('sales.csv')
  async file(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const query = this.withDays(readReportQuery(fields));
    const { columns, rows } = await this.sales.soldBy(query.by, this.filterOf(query));
    const days = [query.from, query.to].filter((day) => day !== undefined).join('-to-');
    return csvResponse(owner, `sales-by-${query.by}-${days}`, columns, rows);
  }

  private get today() {
    return dayAt(Date.now(), this.settings.timeZone);
  }

  private withDays(query: ReportQuery): ReportQuery {
    if ((query.from ?? query.to) !== undefined) return query;
    const { from, to } = presetsOn(this.today)[0];
    return { ...query, from, to };
  }

  private filterOf({ clientId, ...days }: ReportQuery) {
    return { clientId, ...toInstants(days, this.settings.timeZone) };
  }
}
