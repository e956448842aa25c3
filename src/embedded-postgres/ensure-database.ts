import { Client } from 'pg';

/** Creates the service's database unless it is there. */
export async function ensureDatabase(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const name = pathname.slice(1);
  const client = new Client(Object.assign(new URL(url), { pathname: '/postgres' }).href);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
