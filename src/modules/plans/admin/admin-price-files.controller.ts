import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import {
  ExportQuery,
  ExportReader,
  ExportRoute,
  type ExportTarget,
} from '../../../shared/imports/admin/export-route.js';
import {
  Force,
  ImportQuery,
  MaxChange,
  Overwrite,
  PriceEnd,
  PriceStart,
} from '../../../shared/imports/admin/import-query.js';
import { ImportRoute } from '../../../shared/imports/admin/import-route.js';
import {
  FileBody,
  type UploadedFile,
  UploadedFilesService,
} from '../../../shared/imports/admin/uploaded-files.service.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { PriceFiles } from '../price-files.service.js';
import { PRICE_COLUMNS, PRICE_EXPORT_COLUMNS, VALUE_COLUMNS } from '../price-import.js';

class BasePriceImportQuery extends ImportQuery {
  @Force('rows that look like a mistake: large price changes and prices of 0') force?: boolean;
  @MaxChange() max_change?: number;
  @PriceStart('the prices') from?: string;
  @PriceEnd() to?: string;
}

class PriceImportQuery extends BasePriceImportQuery {
  @Overwrite() overwrite?: boolean;
}

class RateImportQuery extends ImportQuery {
  @PriceStart('the rates') from?: string;
}

@ApiTags('Plans and prices')
@Controller('api/admin')
export class AdminPriceFilesController {
  constructor(
    private readonly uploads: UploadedFilesService,
    private readonly files: PriceFiles,
  ) {}

  @ImportRoute({
    name: 'prices',
    role: 'staff',
    operationId: 'importPrices',
    summary: 'Sets and removes the fixed prices of a file; others stay.',
    columns: `${PRICE_COLUMNS.join(', ')}; an empty price removes the fixed price`,
    command: 'price import',
  })
  prices(@FileBody() file: UploadedFile, @ValidQuery() query: PriceImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.files, file, query);
  }

  /** The desk has it too. There is no command. */
  @ImportRoute({
    name: 'base-prices',
    role: 'staff',
    operationId: 'importBasePrices',
    summary: 'Changes the base prices of a file, now or from a date on.',
    columns: VALUE_COLUMNS.base_price.join(', '),
  })
  basePrices(
    @FileBody() file: UploadedFile,
    @ValidQuery() query: BasePriceImportQuery,
  ): Promise<StreamableFile> {
    return this.uploads.import(this.files.basePrices, file, query);
  }

  @ImportRoute({
    name: 'rates',
    role: 'staff',
    operationId: 'importRates',
    summary: 'Schedules the GST rates of a file, which apply from a date on.',
    columns: VALUE_COLUMNS.gst_rate.join(', '),
    command: 'price import-rates',
  })
  rates(@FileBody() file: UploadedFile, @ValidQuery() query: RateImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.files.rates, file, query);
  }

  @ExportRoute({
    name: 'prices',
    operationId: 'exportPrices',
    summary: 'Writes all fixed prices, as a file that can be imported unchanged.',
    command: 'price export',
  })
  export(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel }: ExportQuery,
  ): Promise<StreamableFile> {
    return exportResponse({ ...target, excel }, 'prices', PRICE_EXPORT_COLUMNS, this.files.export());
  }
}
