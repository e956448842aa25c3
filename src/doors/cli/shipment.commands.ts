import type { Cli } from './cli.js';
import { addImportCommand } from './import-command.js';

export function addShipmentCommands(cli: Cli): void {
  const shipment = cli.group('shipment', 'shipments: what couriers took and brought');
  const columns =
    'order_number,courier,tracking_number,tracking_url,shipped_at; the last three may be missing or empty';
  addImportCommand(
    cli,
    shipment,
    columns,
    'Marks the orders of a file as shipped.',
    ({ parcelFiles }) => parcelFiles.shipments,
  );
  addImportCommand(
    cli,
    shipment,
    `${columns}; what is empty stays as it is`,
    'Corrects courier, tracking and time of orders that were shipped; what was before is kept.',
    ({ parcelFiles }) => parcelFiles.corrections,
    undefined,
    'correct',
  );
  addImportCommand(
    cli,
    shipment,
    'order_number',
    'Marks the orders of a file as delivered.',
    ({ parcelFiles }) => parcelFiles.deliveries,
    undefined,
    'deliver',
  );
}
