import type { CliCommand } from './command.js';
import { addImportCommand } from './import-command.js';

export function addShipmentCommands(program: CliCommand): void {
  const shipment = program.group('shipment', 'shipments and deliveries of many orders');
  const columns =
    'order_number,courier,tracking_number,tracking_url,shipped_at; the last three may be missing or empty';
  addImportCommand(shipment, {
    description: 'Marks the orders of a file as shipped.',
    columns,
    files: ({ parcelFiles }) => parcelFiles.shipments,
  });
  addImportCommand(shipment, {
    name: 'correct',
    description: 'Corrects courier, tracking and time of shipped orders. The timeline keeps the old values.',
    columns: `${columns}; empty cells change nothing`,
    files: ({ parcelFiles }) => parcelFiles.corrections,
  });
  addImportCommand(shipment, {
    name: 'deliver',
    description: 'Marks the orders of a file as delivered.',
    columns: 'order_number',
    files: ({ parcelFiles }) => parcelFiles.deliveries,
  });
}
