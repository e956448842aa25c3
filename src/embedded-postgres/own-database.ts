import { Client } from 'pg';

const DATABASE = 'wholesale';

/** Whom the service and its commands connect as. The cluster's superuser is for administration alone. */
const OWNER = 'wholesale_owner';

/** In data of an earlier version everything belongs to the superuser. */
const ADOPT = `
  DO $$
  DECLARE
    adopted text;
  BEGIN
    -- a sequence that belongs to a column goes with its table
    FOR adopted IN
      SELECT c.oid::regclass FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relowner <> '${OWNER}'::regrole AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
    LOOP
      EXECUTE format('ALTER TABLE %s OWNER TO ${OWNER}', adopted);
    END LOOP;
    FOR adopted IN
      SELECT p.oid::regprocedure FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '${OWNER}'::regrole
    LOOP
      EXECUTE format('ALTER ROUTINE %s OWNER TO ${OWNER}', adopted);
    END LOOP;
  END $$`;

/**
 * The service's database in a running cluster, and its owner, who is nobody else's and no superuser: what gets hold of a connection of
 * the service reads no files and starts no programs. Each is made unless it is there, as in the data of an earlier version.
 */
export async function ownDatabase(administrator: URL, password: string): Promise<string> {
  await as(administrator, 'postgres', async (client) => {
    const owner = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (!owner.rowCount) await client.query(`CREATE ROLE ${OWNER} LOGIN`);
    await client.query(`ALTER ROLE ${OWNER} PASSWORD ${client.escapeLiteral(password)}`);
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    await client.query(
      database.rowCount
        ? `ALTER DATABASE ${DATABASE} OWNER TO ${OWNER}`
        : `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
    );
  });
  await as(administrator, DATABASE, (client) => client.query(ADOPT));
  return urlOf(administrator, { pathname: `/${DATABASE}`, username: OWNER, password });
}

function urlOf(server: URL, parts: Partial<URL>): string {
  return Object.assign(new URL(server), parts).href;
}

async function as(
  administrator: URL,
  database: string,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client(urlOf(administrator, { pathname: `/${database}` }));
  // That it broke between two statements is told by the second.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
