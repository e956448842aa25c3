import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { deliver } from '../../orders/actions/deliver.js';
import { Parcel } from '../../orders/entities/after-sale.entity.js';
import { OrderCorrection, type OrderKey } from '../../orders/entities/order.entity.js';
import { LifecycleRepository, orderKeyText } from '../../orders/lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../../orders/lifecycle/order-lifecycle.service.js';
import { noSuchOrder, requireAllowed } from '../../orders/order-errors.js';
import { OrderDeskRepository } from '../../orders/records/order-desk.repository.js';
import { refuseIfOrderChanged } from '../../orders/records/refuse-if-changed.js';
import type { ParcelException } from '../../orders/rules/goods-state.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { OrderReturnsService } from '../returns/order-returns.service.js';
import { reportException } from './actions/report-exception.js';
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
      const change = deliver.change({ parcel: parcel ?? undefined, deliveredAt: deliveredAt ?? undefined });
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
    const { clientId, orderNumber, parcel: number, meaning } = row;
    const key = { clientId, orderNumber };
    const parcels = (await this.orders.parcelsOf(transaction, [key])).get(orderKeyText(key)) ?? [];
    const lines = (await this.orders.linesOf(transaction, [key])).get(orderKeyText(key))!;
    const reports = requireAllowed(
      key,
      reportException.decide({ parcels, lines }, { parcel: number, exception: meaning }),
    );
    for (const { parcel, exception, correction, returns } of reports) {
      await transaction.manager.update(Parcel, { ...key, parcel }, { exception });
      await transaction.manager.insert(OrderCorrection, { ...key, actor, ...correction });
      await this.audit.recordWithin(transaction, {
        clientId,
        actor,
        action: 'order.parcel_exception',
        subject: `order ${orderNumber}`,
        details: { parcel, exception },
      });
      if (returns) await this.returns.requestWithin(transaction, [{ ...key, ...returns }], actor);
    }
  }
}
