import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ExportReader, ExportRoute, type ExportTarget } from '../../../shared/imports/admin/export-route.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { OrderExportQuery, toOrderFilter } from '../../orders/admin/order-lists.dto.js';
import { SalesService } from '../sales.service.js';

@ApiTags('Reports')
@Controller('api/admin')
export class AdminSalesExportController {
  constructor(
    private readonly sales: SalesService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @ExportRoute({
    name: 'sales',
    operationId: 'exportSales',
    summary: 'Writes the sales: a row for each line, with payments and refunds.',
    command: 'order sales-export',
  })
  async lines(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel, status, ...query }: OrderExportQuery,
  ): Promise<StreamableFile> {
    const clientId = await this.clients.findForFilter(query.client);
    const filter = { ...toOrderFilter(query, clientId, this.settings.timeZone), status };
    const { columns, rows } = await this.sales.lines(filter);
    return exportResponse({ ...target, excel }, 'sales', columns, rows);
  }
}
