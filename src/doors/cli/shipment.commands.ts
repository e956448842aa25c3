import type { CliCommand } from './command.js';
import { addImportCommand } from './import-command.js';

export function addShipmentCommands(program: CliCommand): void {
  const shipment = program.group('shipment', 'shipments and deliveries of many orders');
  const columns = 'order_number,courier,tracking_number,tracking_url,shipped_at';
  addImportCommand(shipment, {
    description:
      'Records the parcels of a file. Their goods leave the stock: some lines, or all that are left.',
    columns: `${columns},lines such as "1=2 2=1"; the last four may be missing or empty`,
    files: ({ parcelFiles }) => parcelFiles.shipments,
  });
  addImportCommand(shipment, {
    name: 'correct',
    description: 'Corrects courier, tracking and time of parcels. The timeline keeps the old values.',
    columns: `${columns},parcel; the last four may be missing or empty; empty cells change nothing`,
    files: ({ parcelFiles }) => parcelFiles.corrections,
  });
  addImportCommand(shipment, {
    name: 'deliver',
    description: 'Records the delivery of the orders of a file, or of some of their parcels.',
    columns: 'order_number,parcel,tracking_number; without the last two, all parcels of the order',
    files: ({ parcelFiles }) => parcelFiles.deliveries,
  });
}
