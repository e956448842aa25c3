import { CATALOG_COLUMNS, type CatalogRow } from '../../catalog/files/catalog-columns.js';
import type { Cli } from './cli.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand } from './import-command.js';

export function addCatalogCommands(cli: Cli): void {
  const catalog = cli.group('catalog', 'the catalog: what is sold');
  const columns = `${CATALOG_COLUMNS.join(',')}; images separated by spaces, variations as Color=Red|Blue; Size=S|M`;
  addImportCommand(
    cli,
    catalog,
    columns,
    'Creates and changes the products of a file; others stay.',
    ({ catalogFiles }) => catalogFiles,
  );
  addExportCommand<CatalogRow>(
    cli,
    catalog,
    CATALOG_COLUMNS,
    'Writes all products.',
    ({ catalogFiles }) => catalogFiles,
  );
}
