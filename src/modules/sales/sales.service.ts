import { Inject, Injectable } from '@nestjs/common';
import { ClientFinderService } from '../clients/client-finder.service.js';
import type { DeskFilter } from '../orders/records/order-desk.repository.js';
import type { SpreadsheetExport } from '../../platform/database/spreadsheet-export.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { SalesBy } from './sales-groups.js';
import { buildReport, highestOf, isByTime, MAX_REPORT_ROWS, type SalesReport } from './sales-report.js';
import { type TotalsPeriod, SalesRepository, type SalesTotal } from './sales.repository.js';
import { type SoldFilter, SoldRepository, type SoldExport } from './sold.repository.js';

const NOT_READY =
  'The running service is still adding up the sales of this period. Try again in a few minutes.';

@Injectable()
export class SalesService {
  constructor(
    private readonly sales: SalesRepository,
    private readonly sold: SoldRepository,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async lines(filter: DeskFilter): Promise<SpreadsheetExport> {
    await this.clients.check(filter.clientId);
    return this.sales.lines(filter);
  }

  /** Orders by the time when they were placed. */
  async totals(filter: DeskFilter, period: TotalsPeriod): Promise<AsyncGenerator<SalesTotal, number>> {
    await this.clients.check(filter.clientId);
    return this.sales.totals(filter, period);
  }

  /** Payments and refunds by the time when their money moved. */
  async soldBy(by: SalesBy, filter: SoldFilter): Promise<SoldExport> {
    await this.clients.check(filter.clientId);
    if (await this.sold.findMissingSums(by, filter)) throw new DomainError('conflict', NOT_READY);
    return this.sold.soldBy(by, filter);
  }

  /** The report for a page: all days or months, or the highest rows of another grouping, and one more. */
  async report(by: SalesBy, filter: SoldFilter): Promise<SalesReport> {
    await this.clients.check(filter.clientId);
    const { currency } = this.settings;
    const summed = isByTime(by) ? by : 'client';
    const missing = await this.sold.findMissingSums(summed, filter);
    if (missing) return { rows: [], missing };
    const report = await buildReport(summed, this.sold.soldBy(summed, filter).rows, currency);
    if (isByTime(by)) return report;
    const { totals } = report;
    const missingRows = await this.sold.findMissingSums(by, filter);
    if (missingRows) return { rows: [], totals, missing: missingRows };
    return { ...highestOf(by, await this.sold.highest(by, filter, MAX_REPORT_ROWS + 1, currency)), totals };
  }
}
