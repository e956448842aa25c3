import { DomainError } from '../errors/domain-error.js';
import type { Queries } from './database.js';

const OWNS = { text: `SELECT has_table_privilege($1, 'DELETE') AS owns` };

/** The role of the service may not delete from this table. */
export async function requireOwner(queries: Queries, table: string, deed: string): Promise<void> {
  const [role] = await queries.query<{ owns: boolean }>(OWNS, [table]);
  if (role!.owns) return;
  throw new DomainError(
    'conflict',
    `Only the owner of the database may ${deed}. Set the DATABASE_URL of that role.`,
  );
}
