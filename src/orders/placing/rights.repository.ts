import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import type { Visitor } from '../../read-model/access/caller.js';

/** SQL, because it is the database's clock that says, as it says when the order was placed. */
const RIGHTS = {
  name: 'order-rights',
  text: `
    SELECT EXISTS (SELECT FROM tokens token JOIN clients client ON client.id = token.client_id
                    WHERE token.id = $2 AND token.revoked_at IS NULL AND client.suspended_at IS NULL) AS "isAdmitted",
           (SELECT plan_id FROM subscriptions
             WHERE client_id = $1 AND starts_at <= clock_timestamp() AND ends_at > clock_timestamp()) AS "planId"`,
};

/** What lets a caller order, as the database has it. */
export interface Rights {
  isAdmitted: boolean;
  /** Of the active subscription, if there is one. */
  planId: number | null;
}

@Injectable()
export class RightsRepository {
  async find(transaction: Transaction, { client, token }: Visitor): Promise<Rights> {
    const rows = await transaction.query<Rights>(RIGHTS, [client.id, token.id]);
    return rows[0]!;
  }
}
