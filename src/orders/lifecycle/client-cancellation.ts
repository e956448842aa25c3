import { Injectable } from '@nestjs/common';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../auth/people/signed-in-person.js';
import { Database } from '../../platform/database/database.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { refuseUnderway } from '../paying/payments-underway.js';
import { OrderLifecycle } from './order-lifecycle.js';

const REASON = 'cancelled in the dashboard';

/** What a client's people may take back: what nobody has paid yet. */
@Injectable()
export class ClientCancellation {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: OrderLifecycle,
    private readonly audit: AuditLog,
    private readonly snapshot: SnapshotService,
  ) {}

  /** Not while it is being paid: whoever sits before the gateway's page would pay for nothing. */
  async cancel(person: ClientPerson, orderNumber: string): Promise<void> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, orderNumber };
    await this.database.transaction(async (transaction) => {
      const isNews = await this.lifecycle.cancelUnpaidWithin(transaction, key, actorOf(person), REASON);
      await refuseUnderway(transaction, [key]);
      const subject = `order ${orderNumber}`;
      if (isNews) await this.audit.recordWithin(transaction, { person, action: 'order.cancelled', subject });
    });
    // Whoever looks at the catalog next sees what has come back.
    await this.snapshot.refreshAfterWrite();
  }
}
