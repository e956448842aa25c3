import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { momentsOf } from '../../../shared/ui/components/period-fields.js';
import type { Page } from '../../../shared/ui/page.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import type { Asker } from '../../../platform/worker-threads/thread-owner.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt } from '../../../platform/time/time.js';
import { SalesService } from '../../../modules/sales/sales.service.js';
import { csvFile } from '../../shared/file-response.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { presetsOn, readReportQuery, reportPage, type ReportQuery } from './report-page.js';

/** The sales report of the command `report sales`, with the same figures. */
@DeskPages('reports', 'staff')
export class ReportPagesController {
  constructor(
    private readonly sales: SalesService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@Visit() { fields }: Visit): Promise<Page> {
    const { timeZone, currency } = this.settings;
    const chosen = this.withDays(readReportQuery(fields));
    const client = chosen.clientId === undefined ? undefined : await this.clients.byId(chosen.clientId);
    const report = await this.sales.report(chosen.by, this.filterOf(chosen));
    return reportPage({ report, chosen, client: client?.name, today: this.today, timeZone, currency });
  }

  @Get('sales.csv')
  async file(@ForAsker() asker: Asker, @Visit() { fields }: Visit): Promise<StreamableFile> {
    const chosen = this.withDays(readReportQuery(fields));
    const { columns, rows } = await this.sales.soldBy(chosen.by, this.filterOf(chosen));
    const days = [chosen.from, chosen.to].filter((day) => day !== undefined).join('-to-');
    return csvFile(asker, `sales-by-${chosen.by}-${days}`, columns, rows);
  }

  private get today() {
    return dayAt(Date.now(), this.settings.timeZone);
  }

  private withDays(asked: ReportQuery): ReportQuery {
    if ((asked.from ?? asked.to) !== undefined) return asked;
    const { from, to } = presetsOn(this.today)[0];
    return { ...asked, from, to };
  }

  private filterOf({ clientId, ...days }: ReportQuery) {
    return { clientId, ...momentsOf(days, this.settings.timeZone) };
  }
}
