import type { Transaction } from './database.js';

const KEEP_PLANS = {
  name: 'keep-plans',
  text: `
    SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
};

/**
 * For the rest of the transaction every named statement keeps the plan it has. Those that take lists PostgreSQL would plan anew each time,
 * because it takes a list that it cannot see for a longer one than a single order brings; planning took them longer than running. Rows are
 * looked up by their keys: a plan that was made on empty tables would read whole tables once they have grown. It waits for nothing and
 * travels with the statements behind it.
 */
export async function keepPlans(transaction: Transaction): Promise<void> {
  await transaction.query(KEEP_PLANS, []);
}
