import type { Transaction } from './database.js';

/** For the transaction it runs in: the log of changes names who acts. SQL, because it is a setting of the session. */
export const ACT_AS = `SELECT set_config('wholesale.actor', $1, true)`;

export async function actAs(transaction: Transaction, actor: string): Promise<void> {
  await transaction.query({ name: 'act-as', text: ACT_AS }, [actor]);
}
