import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { Optional } from '../../../platform/validation/fault-decorator.js';
import {
  ListParameter,
  OptionalBooleanParameter,
} from '../../../platform/validation/query-parameters.decorator.js';
import { ReadText } from '../../../platform/validation/typed-fields.decorator.js';
import type { SentList } from '../../../platform/validation/read-query.js';
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
  parseCharge,
} from '../../../shared/imports/admin/import-query.js';
import { ImportRoute } from '../../../shared/imports/admin/import-route.js';
import {
  FileBody,
  type UploadedFile,
  UploadedFilesService,
} from '../../../shared/imports/admin/uploaded-files.service.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { CATALOG_COLUMNS, CATALOG_EXPORT_COLUMNS } from '../catalog-columns.js';
import { CatalogFiles } from '../catalog-files.service.js';

class CatalogImportQuery extends ImportQuery {
  @Force('rows that look like a mistake: large price changes, prices of 0, odd SKUs') force?: boolean;
  @MaxChange() max_change?: number;
  @Overwrite() overwrite?: boolean;
  @OptionalBooleanParameter({
    description: 'Creates no product: rows of new products are refused.',
    example: true,
  })
  update_only?: boolean;

  @ReadText({
    read: parseCharge,
    mustBe: 'an amount such as 49.50',
    description: 'The delivery charge of new products, where the file has none.',
    example: '49.50',
  })
  new_delivery_charge?: string;

  @Optional()
  @ListParameter({
    of: 'SKUs',
    max: 500,
    description: 'New SKUs that are correct although they look like a mistake.',
    example: ['MUG-2'],
    required: false,
  })
  accept_new?: SentList;
}

@ApiTags('Products')
@Controller('api/admin')
export class AdminCatalogFilesController {
  constructor(
    private readonly uploads: UploadedFilesService,
    private readonly files: CatalogFiles,
  ) {}

  @ImportRoute({
    name: 'catalog',
    role: 'staff',
    operationId: 'importCatalog',
    summary: 'Creates and changes the products of a file; others stay.',
    columns:
      `${CATALOG_COLUMNS.join(', ')}; missing columns stay, a new product needs the name and both amounts; ` +
      'images separated by spaces, variations as Color=Red|Blue; Size=S|M',
    command: 'catalog import',
  })
  import(
    @FileBody() file: UploadedFile,
    @ValidQuery() { accept_new: accepted, ...query }: CatalogImportQuery,
  ): Promise<StreamableFile> {
    return this.uploads.import(this.files, file, {
      ...query,
      ...(accepted && { accept_new: accepted.names }),
    });
  }

  @ExportRoute({
    name: 'catalog',
    operationId: 'exportCatalog',
    summary: 'Writes all products, as a file that can be imported unchanged.',
    command: 'catalog export',
  })
  export(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel }: ExportQuery,
  ): Promise<StreamableFile> {
    return exportResponse({ ...target, excel }, 'catalog', CATALOG_EXPORT_COLUMNS, this.files.export());
  }
}
