import { Client } from 'pg';

/** Makes stamps and sync tokens of before incomparable with those to come: for data that was taken back to an earlier state. */
export async function beginHistory(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT begin_history()');
  } finally {
    await client.end();
  }
}
