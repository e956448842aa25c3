import { CATALOG_COLUMNS } from '../../catalog/files/catalog-columns.js';
import { CATALOG_EXPORT_COLUMNS, type ExportedProduct } from '../../catalog/files/catalog-columns.js';
import type { Cli } from './cli.js';
import { readSkus } from './option-values.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addCatalogCommands(cli: Cli): void {
  const catalog = cli.group('catalog', 'the catalog: what is sold');
  const columns = `${CATALOG_COLUMNS.join(',')}; those that are missing stay, a new product needs the name and both amounts; images separated by spaces, variations as Color=Red|Blue; Size=S|M`;
  addImportCommand(
    cli,
    catalog,
    columns,
    'Creates and changes the products of a file; others stay.',
    ({ catalogFiles }) => catalogFiles,
    (command) =>
      addPriceGuards(addOverwrite(command))
        .option('--update-only', 'create no product: rows that would are named')
        .option(
          '--accept-new <sku,…>',
          'new SKUs that are meant as they are, though they look like a spreadsheet’s mistake',
          readSkus,
        ),
  );
  addExportCommand<ExportedProduct>(
    cli,
    catalog,
    CATALOG_EXPORT_COLUMNS,
    'Writes all products.',
    ({ catalogFiles }) => catalogFiles,
  );
}
