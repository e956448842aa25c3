import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OptionalStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import {
  ExportQuery,
  ExportReader,
  ExportRoute,
  type ExportTarget,
} from '../../../shared/imports/admin/export-route.js';
import { ImportQuery, Overwrite } from '../../../shared/imports/admin/import-query.js';
import { ImportRoute } from '../../../shared/imports/admin/import-route.js';
import {
  FileBody,
  type UploadedFile,
  UploadedFilesService,
} from '../../../shared/imports/admin/uploaded-files.service.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { StockFiles } from '../../stock/stock-files.service.js';
import { STOCK_COLUMNS, STOCK_EXPORT_COLUMNS } from '../../stock/stock-import.js';

class StockImportQuery extends ImportQuery {
  @Overwrite() overwrite?: boolean;
  @OptionalStart('When it was counted, now by default. Later changes are added.', '2026-11-30T18:00:00Z')
  counted_at?: string;
}

@ApiTags('Stock')
@Controller('api/admin')
export class AdminStockFilesController {
  constructor(
    private readonly uploads: UploadedFilesService,
    private readonly files: StockFiles,
  ) {}

  @ImportRoute({
    name: 'stock',
    role: 'staff',
    operationId: 'importStock',
    summary: 'Sets the stock to the counts of a file.',
    columns:
      `${STOCK_COLUMNS.join(', ')}; the variation is the stock key or as in an order (Red / M), and empty ` +
      'or left out if there is none; the quantity is the count',
    command: 'stock import',
  })
  import(@FileBody() file: UploadedFile, @ValidQuery() query: StockImportQuery): Promise<StreamableFile> {
    if (query.overwrite && query.counted_at !== undefined)
      throw validationFailed([
        { field: 'counted_at', code: 'conflicting', message: 'cannot be combined with "overwrite"' },
      ]);
    return this.uploads.import(this.files, file, query);
  }

  @ExportRoute({
    name: 'stock',
    operationId: 'exportStock',
    summary: 'Writes the stock on hand, as a file that can be imported unchanged.',
    command: 'stock export',
  })
  export(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel }: ExportQuery,
  ): Promise<StreamableFile> {
    return exportResponse({ ...target, excel }, 'stock', STOCK_EXPORT_COLUMNS, this.files.export());
  }
}
