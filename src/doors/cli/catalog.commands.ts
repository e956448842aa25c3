import { CATALOG_COLUMNS, CATALOG_EXPORT_COLUMNS } from '../../catalog/catalog-columns.js';
import { type CliCommand, readSkus } from './command.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addCatalogCommands(program: CliCommand): void {
  const catalog = program.group('catalog', 'the catalog file: all products');
  addImportCommand(catalog, {
    description: 'Creates and changes the products of a file; others stay.',
    columns: [
      CATALOG_COLUMNS.join(','),
      'missing columns stay, a new product needs the name and both amounts',
      'images separated by spaces, variations as Color=Red|Blue; Size=S|M',
    ].join('; '),
    files: ({ catalogFiles }) => catalogFiles,
    addOptions: (command) =>
      addPriceGuards(addOverwrite(command))
        .option('--update-only', 'create no product: refuse rows of new products')
        .option(
          '--accept-new <sku,…>',
          'new SKUs that are correct although they look like a mistake',
          readSkus,
        ),
  });
  addExportCommand(
    catalog,
    CATALOG_EXPORT_COLUMNS,
    'Writes all products.',
    ({ catalogFiles }) => catalogFiles,
  );
}
