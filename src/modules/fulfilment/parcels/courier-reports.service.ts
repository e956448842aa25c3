import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Parcel } from '../../orders/entities/after-sale.entity.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import {
  LifecycleRepository,
  orderKeyText,
  type RecordedParcel,
} from '../../orders/lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import { illegalTransition, noSuchOrder } from '../../orders/order-errors.js';
import { OrderDeskRepository } from '../../orders/records/order-desk.repository.js';
import { refuseIfOrderChanged } from '../../orders/records/refuse-if-changed.js';
import { type ParcelException, unitsToReturn } from '../../orders/rules/parcel-exception.js';
import { rtoKey } from '../../orders/rules/return-request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { OrderReturnsService } from '../returns/order-returns.service.js';
import type { ReportedRow } from './delivery-import.js';

type ExceptionRow = OrderKey & { parcel: number | null; meaning: ParcelException };

/** What a person says of one parcel. */
export interface ParcelReport {
  orderNumber: string;
  parcel: number;
  exception: ParcelException;
}

/** Records the reports of couriers: deliveries, RTO and losses. */
@Injectable()
export class CourierReportsService {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly desk: OrderDeskRepository,
    private readonly lifecycle: OrderLifecycleService,
    private readonly returns: OrderReturnsService,
    private readonly audit: AuditLog,
  ) {}

  /** Locks the orders until the transaction ends. */
  async record(transaction: Transaction, rows: readonly ReportedRow[], actor: string): Promise<void> {
    await this.orders.lockAll(transaction, [...rows]);
    const deliveries = rows.flatMap(({ clientId, orderNumber, parcel, meaning, deliveredAt }) => {
      const change = {
        action: 'deliver',
        parcel: parcel ?? undefined,
        deliveredAt: deliveredAt ?? undefined,
      } as const;
      return meaning === 'delivered' ? [{ key: { clientId, orderNumber }, change }] : [];
    });
    await this.lifecycle.applyChangesWithin(transaction, deliveries, actor);
    for (const row of rows)
      if (row.meaning !== 'delivered') await this.recordException(transaction, row as ExceptionRow, actor);
  }

  /** What a person says of one parcel, for an order that is as the review showed it. */
  report(report: ParcelReport, actor: string, fingerprint: string): Promise<void> {
    return this.database.transaction((transaction) =>
      this.reportWithin(transaction, report, actor, fingerprint),
    );
  }

  /** Refuses what `report` would refuse. */
  dryRun(report: ParcelReport, actor: string): Promise<void> {
    return this.database.dryRun((transaction) => this.reportWithin(transaction, report, actor));
  }

  private async reportWithin(
    transaction: Transaction,
    { orderNumber, parcel, exception: meaning }: ParcelReport,
    actor: string,
    fingerprint?: string,
  ): Promise<void> {
    const key = await this.desk.findKey(orderNumber);
    if (!key) throw noSuchOrder(orderNumber);
    await this.orders.lockAll(transaction, [key]);
    if (fingerprint !== undefined) await refuseIfOrderChanged(this.desk, key, { fingerprint })(transaction);
    await this.recordException(transaction, { ...key, parcel, meaning }, actor);
  }

  private async recordException(transaction: Transaction, row: ExceptionRow, actor: string): Promise<void> {
    const { clientId, orderNumber, parcel: parcelNumber, meaning: exception } = row;
    const parcels = (await this.orders.parcelsOf(transaction, row)).filter(
      ({ parcel, deliveredAt, exception: recorded }) =>
        parcel === (parcelNumber ?? parcel) &&
        deliveredAt === null &&
        recorded !== 'returned' &&
        recorded !== exception,
    );
    if (parcels.length === 0)
      throw illegalTransition(
        orderNumber,
        'Its parcel was delivered, came back, or has this report already.',
      );
    for (const { parcel, lines } of parcels) {
      if (exception === 'returned' && lines.length === 0 && parcelNumber !== null) throw NO_GOODS;
      await transaction.manager.update(Parcel, { clientId, orderNumber, parcel }, { exception });
      await this.audit.recordWithin(transaction, {
        clientId,
        actor,
        action: 'order.parcel_exception',
        subject: `order ${orderNumber}`,
        details: { parcel, exception },
      });
      if (exception === 'returned') await this.openReturn(transaction, row, { parcel, lines }, actor);
    }
  }

  /** The goods of the parcel that are in no return yet. A person receives them. */
  private async openReturn(
    transaction: Transaction,
    { clientId, orderNumber }: ExceptionRow,
    { parcel, lines }: Pick<RecordedParcel, 'parcel' | 'lines'>,
    actor: string,
  ): Promise<void> {
    const key = { clientId, orderNumber };
    const ordered = (await this.orders.linesOf(transaction, [key])).get(orderKeyText(key))!;
    const back = unitsToReturn(lines, ordered);
    if (back.length === 0) return;
    const reason = `RTO: the courier brought parcel ${parcel} back`;
    const request = { ...key, lines: back, reason, note: null, key: rtoKey(parcel) };
    await this.returns.requestWithin(transaction, [request], actor);
  }
}

const NO_GOODS = new DomainError(
  'invalid_value',
  'This box has no goods of its own. Choose the parcel that names the goods, or ask for a return of them.',
);
