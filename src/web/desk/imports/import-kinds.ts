import { Injectable } from '@nestjs/common';
import { CATALOG_COLUMNS } from '../../../modules/catalog/catalog-columns.js';
import { CatalogFiles } from '../../../modules/catalog/catalog-files.service.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { EInvoicesService } from '../../../modules/invoices/e-invoices.service.js';
import type { RunOptions } from '../../../shared/imports/import-run.entity.js';
import type { RecordImport } from '../../../shared/imports/record-source.js';
import { ParcelFilesService } from '../../../modules/fulfilment/parcels/parcel-files.service.js';
import { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import { PriceFiles } from '../../../modules/plans/price-files.service.js';
import { PRICE_COLUMNS, VALUE_COLUMNS } from '../../../modules/plans/price-import.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import { StockFiles } from '../../../modules/stock/stock-files.service.js';
import { STOCK_COLUMNS } from '../../../modules/stock/stock-import.js';

export interface DeskImportKind {
  /** In addresses and in the history. */
  name: string;
  title: string;
  /** A row and several, if they have a name of their own. */
  rows?: readonly [one: string, many: string];
  /** What each row adds. Rows of other kinds create or change something. */
  adds?: string;
  description: string;
  columns: string;
  /** The heading of the template. The files of portals have none. */
  template?: readonly string[];
  /** Without it: all files. */
  permission?: 'import shipments, deliveries and e-way bills';
  options: readonly (keyof RunOptions)[];
  files: RecordImport;
}

const PARCEL = ['order_number', 'courier', 'tracking_number', 'tracking_url', 'shipped_at'] as const;

const eInvoiceAnswers = (files: RecordImport): DeskImportKind => ({
  name: 'e-invoices',
  title: 'IRNs of e-invoices',
  rows: ['document', 'documents'],
  description:
    'Records what the tax portal answered. A document is registered once; its IRN may be cancelled.',
  columns:
    'irn, ack_number, acked_at, signed_qr, number; for a cancellation irn, cancelled_at; ' +
    'or the JSON list of the portal',
  options: [],
  files,
});

const eWayBillAnswers = (files: RecordImport): DeskImportKind => ({
  name: 'e-way-bills',
  title: 'E-way bills',
  rows: ['invoice', 'invoices'],
  description: 'Records vehicles and transporters, and what the portal of e-way bills answered.',
  columns:
    'number; and vehicle_number, transporter_id, distance_km, transport_document; ' +
    'or e_way_bill, generated_at, valid_until; or cancelled_at',
  permission: 'import shipments, deliveries and e-way bills',
  options: [],
  files,
});

/** The files that can be imported in the browser. The commands import the same ones. */
@Injectable()
export class ImportKinds {
  readonly all: readonly DeskImportKind[];

  constructor(
    catalog: CatalogFiles,
    stock: StockFiles,
    prices: PriceFiles,
    parcels: ParcelFilesService,
    returns: OrderReturnsService,
    eInvoices: EInvoicesService,
    eWayBills: EWayBillsService,
  ) {
    const shipment = 'order_number, courier; and tracking_number, tracking_url, shipped_at';
    this.all = [
      {
        name: 'catalog',
        title: 'Catalog',
        description: 'Creates and changes products. Products that the file lacks stay.',
        columns: CATALOG_COLUMNS.join(', '),
        template: CATALOG_COLUMNS,
        options: ['force', 'updateOnly', 'overwrite', 'newDeliveryCharge', 'maxChange'],
        files: catalog,
      },
      {
        name: 'stock',
        title: 'Stock counts',
        description: 'Sets the numbers on hand.',
        columns: 'sku, quantity; and variation',
        template: STOCK_COLUMNS,
        options: ['overwrite', 'countedAt'],
        files: stock,
      },
      {
        name: 'prices',
        title: 'Fixed prices',
        rows: ['price', 'prices'],
        description: 'Sets the prices of products in plans. An empty price removes the fixed price.',
        columns: PRICE_COLUMNS.join(', '),
        template: PRICE_COLUMNS,
        options: ['force', 'overwrite', 'plan', 'maxChange', 'from', 'to'],
        files: prices,
      },
      {
        name: 'base-prices',
        title: 'Base prices',
        rows: ['price', 'prices'],
        description: 'Changes base prices, now or from a date on.',
        columns: VALUE_COLUMNS.base_price.join(', '),
        template: VALUE_COLUMNS.base_price,
        options: ['force', 'maxChange', 'from', 'to'],
        files: prices.basePrices,
      },
      {
        name: 'rates',
        title: 'GST rates',
        rows: ['rate', 'rates'],
        description: 'Changes GST rates from a date on. Invoices have the rate of their day.',
        columns: VALUE_COLUMNS.gst_rate.join(', '),
        template: VALUE_COLUMNS.gst_rate,
        options: ['from'],
        files: prices.rates,
      },
      {
        name: 'shipments',
        title: 'Shipments',
        adds: 'Parcels',
        description: 'Records parcels. Their goods leave the stock.',
        columns: `${shipment}, lines`,
        template: [...PARCEL, 'lines'],
        options: ['courier', 'force', 'oldSlips'],
        permission: 'import shipments, deliveries and e-way bills',
        files: parcels.shipments,
      },
      {
        name: 'corrections',
        title: 'Corrected shipments',
        description: 'Corrects courier, tracking and time of parcels.',
        columns: `${shipment}, parcel`,
        template: [...PARCEL, 'parcel'],
        options: ['courier', 'force'],
        permission: 'import shipments, deliveries and e-way bills',
        files: parcels.corrections,
      },
      {
        name: 'deliveries',
        title: 'Deliveries',
        adds: 'Reports',
        description: 'Records what the courier reports: deliveries, RTO and lost parcels.',
        columns: 'order_number or tracking_number; and parcel, status, delivered_at',
        template: ['order_number', 'tracking_number', 'parcel', 'status', 'delivered_at'],
        options: [],
        permission: 'import shipments, deliveries and e-way bills',
        files: parcels.deliveries,
      },
      {
        name: 'returns',
        title: 'Returns',
        description: 'Records goods that customers send back.',
        columns: 'order_number, lines, reason; and note',
        template: ['order_number', 'lines', 'reason', 'note'],
        options: [],
        files: returns.files,
      },
      ...(eInvoices.isOn ? [eInvoiceAnswers(eInvoices)] : []),
      ...(eWayBills.isOn ? [eWayBillAnswers(eWayBills)] : []),
    ];
  }

  of(me: DeskPerson): DeskImportKind[] {
    return this.all.filter(({ permission }) => may(me, permission ?? 'import all files'));
  }

  /** A kind of an older version has no files any more. */
  find(name: string): DeskImportKind | undefined {
    return this.all.find((kind) => kind.name === name);
  }
}
