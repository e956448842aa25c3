import { Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import { subscriptionInactive, tokenUnknown } from '../../clients/refusals.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Caller, Visitor } from '../../read-model/access/caller.js';

/** SQL, for the clock of the database. One time counts for the rights and for the orders that they allow. */
const RIGHTS = {
  name: 'order-rights',
  text: `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now)
    SELECT wanted.token_id AS "tokenId", moment.now::text AS now,
           EXISTS (SELECT FROM tokens token JOIN clients client ON client.id = token.client_id
                    WHERE token.id = wanted.token_id
                      AND token.revoked_at IS NULL AND client.suspended_at IS NULL
                      AND (token.ends_at IS NULL OR token.ends_at > moment.now)) AS "isAdmitted",
           (SELECT plan_id FROM subscriptions s
             WHERE s.client_id = wanted.client_id
               AND s.starts_at <= moment.now AND s.ends_at > moment.now) AS "planId"
      FROM unnest($1::int[], $2::int[]) AS wanted (client_id, token_id), moment`,
};

/** The caller's rights, as the database has them. */
export interface Rights {
  isAdmitted: boolean;
  /** Of the active subscription. */
  planId: number | null;
}

export interface RightsNow {
  /** With microseconds, as the database writes it. */
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

/** The prices would be those of a plan that the client no longer has. */
export class PlanChanged extends DomainError {
  constructor() {
    super('unavailable', 'Your plan is being changed at this moment. Please repeat the request.', {
      retryAfterSeconds: 2,
    });
  }
}

/** The reason why the caller may no longer order, if there is one. */
export function barrierTo(caller: Caller, { isAdmitted, planId }: Rights): DomainError | undefined {
  if (!isAdmitted) return tokenUnknown();
  if (planId === null) return subscriptionInactive();
  return planId === caller.plan.id ? undefined : new PlanChanged();
}
