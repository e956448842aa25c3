import { PRICE_COLUMNS, PRICE_EXPORT_COLUMNS, type PriceRow } from '../../plans/prices/price-columns.js';
import type { Cli } from './cli.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addPriceCommands(cli: Cli): void {
  const price = cli.group('price', 'fixed prices: what a plan pays for single products');
  const columns = `${PRICE_COLUMNS.join(',')}; an empty price removes the fixed one`;
  addImportCommand(
    cli,
    price,
    columns,
    'Fixes and unfixes the prices of a file; others stay.',
    ({ priceFiles }) => priceFiles,
    (command) => addPriceGuards(addOverwrite(command)),
  );
  addExportCommand<PriceRow>(
    cli,
    price,
    PRICE_EXPORT_COLUMNS,
    'Writes all fixed prices.',
    ({ priceFiles }) => priceFiles,
  );
}
