import { PRICE_COLUMNS, PRICE_EXPORT_COLUMNS, type PriceRow } from '../../plans/price-import.js';
import type { CliCommand } from './command.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addPriceCommands(program: CliCommand): void {
  const price = program.group('price', 'fixed prices: the price of a product in one plan');
  addImportCommand(price, {
    description: 'Sets and removes the fixed prices of a file; others stay.',
    columns: `${PRICE_COLUMNS.join(',')}; an empty price removes the fixed price`,
    files: ({ priceFiles }) => priceFiles,
    addOptions: (command) => addPriceGuards(addOverwrite(command)),
  });
  addExportCommand<PriceRow>(
    price,
    PRICE_EXPORT_COLUMNS,
    'Writes all fixed prices.',
    ({ priceFiles }) => priceFiles,
  );
}
