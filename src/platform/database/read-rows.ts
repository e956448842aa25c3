import type { Pool, QueryResultRow } from 'pg';
import { translateDatabaseError } from './database-error.js';

const PAGE = 1_000;

/** The rows of a query of any size, all of one moment, read page by page: memory holds one page. */
export async function* readRows<Row extends QueryResultRow>(
  pool: Pool,
  text: string,
  values: unknown[] = [],
): AsyncGenerator<Row> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
  let finished = false;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`DECLARE page NO SCROLL CURSOR FOR ${text}`, values);
    for (let size = PAGE; size === PAGE;) {
      const { rows } = await client.query<Row>(`FETCH ${PAGE} FROM page`);
      yield* rows;
      size = rows.length;
    }
    await client.query('COMMIT');
    finished = true;
  } finally {
    // A reader that has seen enough, or an error, leaves the transaction open: the connection goes with it.
    client.release(!finished);
  }
}
