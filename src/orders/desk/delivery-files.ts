import { Injectable } from '@nestjs/common';
import type { ImportKind } from '../../imports/import-kind.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import { addFaults, createWork, DROP_FAULTY, GOOD, inBatch, WORK } from '../../imports/import-tables.js';
import { Importer } from '../../imports/importer.js';
import type { RecordSource } from '../../imports/record-source.js';
import type { OrderKey } from '../entities/order.entity.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import {
  type ActOnOrders,
  ORDERS_AT_ONCE,
  readOrderNumber,
  REFUSE_UNKNOWN,
  writeOrders,
} from './write-orders.js';

// SQL, because a file is compared with the orders as a whole.

/** An order that has arrived already needs nothing. What changes after this is judged by the lifecycle, when its turn comes. */
const FIND_WORK = createWork(`
  SELECT g.line, false AS is_new, o.client_id, o.order_number, o.status
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE o.status <> 'delivered'`);

const REFUSE_UNSHIPPED = addFaults(`
  SELECT line, 'order_number', format('is %s and was not shipped', status) FROM ${WORK} WHERE status <> 'shipped'`);

const NEXT = `
  SELECT line, client_id AS "clientId", order_number AS "orderNumber" FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

type WorkRow = { line: number } & OrderKey;

/** What couriers have brought, file by file. */
@Injectable()
export class DeliveryFiles {
  private readonly kind: ImportKind<'order_number'>;

  constructor(
    private readonly importer: Importer,
    lifecycle: OrderLifecycle,
  ) {
    const deliver: ActOnOrders<WorkRow> = (transaction, rows, actor) =>
      lifecycle.actWithin(transaction, [...rows], { action: 'deliver' }, actor);
    this.kind = {
      name: 'deliveries',
      columns: ['order_number'],
      staged: { order_number: 'text' },
      key: ['order_number'],
      keyColumn: 'order_number',
      read: (cells, note) => ({ order_number: readOrderNumber(cells.order_number, note) }),
      compare: [REFUSE_UNKNOWN, FIND_WORK, REFUSE_UNSHIPPED, DROP_FAULTY],
      batchSize: ORDERS_AT_ONCE,
      write: writeOrders(NEXT, deliver),
    };
  }

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(this.kind, source, options);
  }
}
