import type { Database } from '../../platform/database/database.js';

/** What a new client has done, in the usual order. */
export interface FirstSteps {
  hasToken: boolean;
  hasCalled: boolean;
  hasMoney: boolean;
  hasOrdered: boolean;
  hasPaid: boolean;
}

/** SQL, because one statement asks several tables whether a first row exists. */
const FIRST_STEPS = {
  name: 'client-first-steps',
  text: `
    SELECT EXISTS (SELECT FROM tokens WHERE client_id = $1) AS "hasToken",
           EXISTS (SELECT FROM tokens t JOIN token_uses u ON u.token_id = t.id WHERE t.client_id = $1)
             OR EXISTS (SELECT FROM orders WHERE client_id = $1) AS "hasCalled",
           (SELECT entries > 0 FROM wallets WHERE client_id = $1) AS "hasMoney",
           EXISTS (SELECT FROM orders WHERE client_id = $1) AS "hasOrdered",
           EXISTS (SELECT FROM orders WHERE client_id = $1 AND payment_status IN ('paid', 'refunded'))
             AS "hasPaid"`,
};

export async function readFirstSteps(database: Database, clientId: number): Promise<FirstSteps> {
  const [steps] = await database.query<FirstSteps & object>(FIRST_STEPS, [clientId]);
  return steps!;
}
