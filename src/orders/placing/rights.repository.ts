import { Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import type { Visitor } from '../../read-model/access/caller.js';

/**
 * SQL, because the database's clock decides. One time serves all orders and dates them, so none is placed
 * after its subscription ended.
 */
const RIGHTS = {
  name: 'order-rights',
  text: `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now)
    SELECT wanted.token_id AS "tokenId", moment.now::text AS now,
           EXISTS (SELECT FROM tokens token JOIN clients client ON client.id = token.client_id
                    WHERE token.id = wanted.token_id AND token.revoked_at IS NULL
                      AND client.suspended_at IS NULL
                      AND (token.ends_at IS NULL OR token.ends_at > moment.now)) AS "isAdmitted",
           (SELECT plan_id FROM subscriptions s
             WHERE s.client_id = wanted.client_id AND s.starts_at <= moment.now
               AND s.ends_at > moment.now) AS "planId"
      FROM unnest($1::int[], $2::int[]) AS wanted (client_id, token_id), moment`,
};

/** The rights of a caller in the database. */
export interface Rights {
  isAdmitted: boolean;
  /** The plan of the active subscription. */
  planId: number | null;
}

export interface RightsNow {
  /** The database's time to the microsecond. */
  now: string;
  byToken: ReadonlyMap<number, Rights>;
}

type Row = Rights & { tokenId: number; now: string };

@Injectable()
export class RightsRepository {
  async find(transaction: Queries, visitors: readonly Visitor[]): Promise<RightsNow> {
    const tokens = new Map(visitors.map(({ token, client }) => [token.id, client.id]));
    const rows = await transaction.query<Row>(RIGHTS, [[...tokens.values()], [...tokens.keys()]]);
    return { now: rows[0]!.now, byToken: new Map(rows.map((row) => [row.tokenId, row])) };
  }
}
