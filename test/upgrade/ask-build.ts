import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { closeCommandServices } from '../support/command-service.js';
import { runCommand } from '../support/run-command.js';

interface Build {
  url: string;
  database: { url: string };
  pool: Pool;
  /** The credentials of the demo's store. */
  headers: Record<string, string>;
}

/** The reports about the money. No upgrade may change them, nor the day on which they are read. */
const REPORTS = [
  'report balances --on 2026-11-30',
  'report gst --month 2026-11',
  'report register --to 2026-11-30',
  'report ledger 1 --from 2026-09-01 --to 2026-11-30',
  'wallet history 1 --all',
  'stock low --below 100000 --all',
  'price upcoming --all',
];

const hash = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

async function command(build: Build, line: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runCommand(build.database.url, ...line.split(' '), '--json');
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as unknown;
}

async function read({ url, headers }: Build, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${url}${path}`, { headers });
  return { status: answer.status, body: await answer.json() };
}

/** Returns what a build says about its data: it must say the same after each upgrade. */
export async function askBuild(build: Build) {
  const { pool } = build;
  const { rows: orders } = await pool.query<{ number: string; state: string }>(
    `SELECT DISTINCT ON (status, payment_status) order_number AS number, concat(status, ' ', payment_status) AS state
       FROM orders WHERE client_id = 1 ORDER BY status, payment_status, order_number`,
  );
  const { rows: series } = await pool.query<object>(
    'SELECT to_jsonb(s) AS series FROM document_series s ORDER BY s',
  );
  const { rows: documents } = await pool.query<{ number: string; kind: string }>(
    `SELECT DISTINCT ON (kind) number, kind FROM tax_documents WHERE client_id = 1 ORDER BY kind, number`,
  );
  const reports: Record<string, unknown> = {};
  for (const line of REPORTS) reports[line] = await command(build, line);
  const statuses: Record<string, unknown> = {};
  for (const { number, state } of orders) statuses[state] = await read(build, `/api/orders/${number}/status`);
  const pdfs: Record<string, string> = {};
  for (const { number, kind } of documents) {
    const answer = await fetch(`${build.url}/api/documents/${number}`, { headers: build.headers });
    pdfs[kind] = answer.ok ? hash(Buffer.from(await answer.arrayBuffer())) : String(answer.status);
  }
  const stock = (await read(build, '/api/stock')).body as { sync_token: string; products: unknown };
  const { sync_token: syncToken, ...stockRest } = stock;
  await closeCommandServices();
  return {
    reports,
    series,
    statuses,
    pdfs,
    stock: hash(JSON.stringify(stockRest)),
    syncToken,
    changesSince: (await read(build, `/api/stock?since=${syncToken}`)).status,
  };
}
