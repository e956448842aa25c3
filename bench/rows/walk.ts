import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { signIn, signInAtDesk } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { createBenchDatabase } from '../database/bench-database.js';
import { type Finding, milliseconds, type Row } from '../finding.js';

/** 1,000,000 orders. */
const LARGE = {
  products: 200_000,
  size: { ordersOfEach: [300_000, ...Array<number>(6).fill(100_000)], smallClients: 2_000, time: '5 years' },
};
const QUICK = {
  products: 2_000,
  size: { ordersOfEach: [3_000, 1_000], smallClients: 20, time: '2 months' },
};

/** A database of this name is used as it is: with `--postgres` it stays for the next run. */
const DATABASE = 'house';

const MAX_MS = 1_000;
/** A file of a month has thousands of rows. */
const MAX_FILE_MS = 5_000;
/** A busy machine delays any page. It does not change the pages of PostgreSQL's cache that a page touches. */
const MAX_BUFFERS = 10_000;
const REPORTED = 10;

/** Pages of each route that differ only in the values of parameters. */
const ALIKE = 2;
const MAX_PER_ROUTE = 60;

/** Searches that match nothing, a thousand rows, very many, and one. */
const SEARCHES = ['zzqzz', 'zacharias', 'kumar', 'sample', 'WO-20', 'SYN-0012345', 'a'];

/** Parameters whose values differ from link to link without a new kind of page. */
const ANY_VALUE = /^(before|after|cursor|page|from|to|month|number|key|client|order|product|sku)$/;

/** Pages that no link of the walk names, or that are large. */
const SEEDS = {
  desk: `/desk/clients/1 /desk/clients/1/wallet /desk/clients/1/requests /desk/clients/1/people
    /desk/clients/1/tokens /desk/clients/1/subscription /desk/clients/1/details /desk/clients/1/wallet/adjust
    /desk/clients/1000 /desk/orders?client=1 /desk/orders?client=1&status=all /desk/packing?client=1
    /desk/money/invoices?client=1 /desk/returns?client=1 /desk/audit?client=1 /desk/money/month
    /desk/goods/products/SYN-0000001 /desk/goods/products/SYN-0000001/stock
    /desk/goods/products/SYN-0000001/stock.csv /desk/goods/products/SYN-0100000 /desk/imports/1
    ${['day', 'month', 'client', 'product', 'state']
      .flatMap((by) =>
        ['', '&client=1', '&client=1000', '&from=2000-01-01', '&client=1&from=2000-01-01'].map(
          (more) => by + more,
        ),
      )
      .map((query) => `/desk/reports?by=${query} /desk/reports/sales.csv?by=${query}`)
      .join(' ')}`,
  dashboard: '/dashboard/orders?group=all /dashboard/orders.csv /dashboard/wallet/statement.pdf',
};

interface WalkedPage {
  address: string;
  cookie: string;
  status: number;
  ms: number;
  maxMs: number;
}

/** Pages and files of desk and dashboard with 1,000,000 orders, by links, filters and searches. */
export const walk: Row = {
  id: 'walk',
  async measure(bench) {
    const pool = new pg.Pool({ connectionString: await databaseUrl(bench), max: 2 });
    // People of an earlier run keep their rows under other addresses.
    await pool.query(`UPDATE people SET email = 'earlier-' || id WHERE email !~ '^filled'`);
    const { rows } = await pool.query<{ small: number }>('SELECT max(id) AS small FROM clients');
    const people = { pool, url: '' };
    const server = await bench.service({ url: bench.postgres.urlOf(DATABASE) });
    const desk = await walkPages(server.url, 'desk', (await signInAtDesk(people)).cookie);
    const large = await walkPages(server.url, 'dashboard', (await signIn(people, 1)).cookie);
    const small = await walkPages(server.url, 'dashboard', (await signIn(people, rows[0]!.small)).cookie);
    await pool.end();
    const pages = [desk, large, small].flatMap((each) => each.pages);
    const findings: Finding[] = [];
    const slowest = pages.toSorted((a, b) => b.ms - a.ms).slice(0, REPORTED);
    for (const { address, cookie, status, ms, maxMs } of slowest) {
      const buffers = await buffersOf(bench, () => ask(server.url + address, cookie));
      findings.push({
        work: `${status} ${address}`,
        measured: milliseconds(ms),
        against: `${buffers.toLocaleString('en')} buffers`,
        aim: `≤ ${maxMs} ms or ${MAX_BUFFERS.toLocaleString('en')} buffers`,
        reached: status < 500 && (ms <= maxMs || buffers <= MAX_BUFFERS),
      });
    }
    const bad = findings
      .filter(({ reached }) => !reached)
      .map(({ work, measured, against }) => `${work}: ${measured}, ${against}`);
    if (bad.length > 0)
      throw new Error(`Of ${pages.length} addresses these are too slow:\n${bad.join('\n')}`);
    const missed = [desk, large].flatMap((each) => each.missed).join(' ');
    return [
      ...findings,
      {
        work: `routes without a page here, of ${pages.length}`,
        measured: missed,
        against: '–',
        aim: 'reported',
      },
    ];
  },
};

async function databaseUrl({ postgres, options }: Bench): Promise<string> {
  const databases = await postgres.query(`SELECT FROM pg_database WHERE datname = '${DATABASE}'`);
  if (databases.length === 0) {
    const { products, size } = options.quick ? QUICK : LARGE;
    const { pool } = await createBenchDatabase(postgres, products, size, DATABASE);
    await pool.end();
  }
  return postgres.urlOf(DATABASE);
}

/** The answer up to its first bytes if it is a file, else the whole page. */
async function ask(url: string, cookie: string) {
  const beganAt = performance.now();
  const answer = await fetch(url, { headers: { Cookie: cookie }, redirect: 'manual' });
  const isPage = answer.headers.get('content-type')?.startsWith('text/html');
  const html = isPage ? await answer.text() : '';
  if (!isPage && answer.body) {
    const reader = answer.body.getReader();
    await reader.read();
    await reader.cancel();
  }
  const maxMs = isPage ? MAX_MS : MAX_FILE_MS;
  return { status: answer.status, html, ms: performance.now() - beganAt, maxMs };
}

/** Returns the pages of PostgreSQL's cache that the work touched. Connections report them when they end. */
async function buffersOf({ postgres }: Bench, work: () => Promise<unknown>): Promise<number> {
  const touched = async () => {
    await postgres.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = '${DATABASE}' AND state = 'idle' AND query !~ '^LISTEN'`,
    );
    const [row] = await postgres.query<{ touched: string }>(
      `SELECT blks_hit + blks_read AS touched FROM pg_stat_database WHERE datname = '${DATABASE}'`,
    );
    return Number(row!.touched);
  };
  await work();
  const before = await touched();
  await work();
  return (await touched()) - before;
}

async function walkPages(url: string, area: 'desk' | 'dashboard', cookie: string) {
  const roles = await readFile(new URL(`../../../test/web/${area}/roles.txt`, import.meta.url), 'utf8');
  const routes = [...roles.matchAll(/^(?!open)\w+ +GET +(\S+)$/gm)].map(([, route]) => ({
    route: route!,
    pattern: new RegExp(`^${route!.replace(/\{.*\}/, '(/[^/?]+)?').replace(/:\w+/g, '[^/?]+')}$`),
  }));
  const counts = new Map<string, number>();
  const isNew = (address: string): boolean => {
    const { pathname, searchParams } = new URL(address, url);
    const route = routes.find(({ pattern }) => pattern.test(pathname))?.route;
    if (route === undefined) return false;
    const query = [...searchParams]
      .map(([name, value]) => (ANY_VALUE.test(name) ? name : `${name}=${value}`))
      .toSorted();
    const limits = { [address]: 1, [[route, '', ...query].join(' ')]: ALIKE, [route]: MAX_PER_ROUTE };
    // A route without parameters is its own address.
    const keys = Object.entries(limits).map(([key, limit]) => [`${limit} ${key}`, limit] as const);
    if (keys.some(([key, limit]) => (counts.get(key) ?? 0) >= limit)) return false;
    for (const [key] of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return true;
  };
  const plainRoutes = routes.map(({ route }) => route).filter((route) => !/[:{]/.test(route));
  const queue = [...plainRoutes, ...SEEDS[area].split(/\s+/)];
  const pages: WalkedPage[] = [];
  for (const address of queue) {
    if (!isNew(address)) continue;
    const { html, status, ms, maxMs } = await ask(url + address, cookie);
    // Other work on the machine delays one answer, seldom two.
    const retryMs = ms > maxMs ? (await ask(url + address, cookie)).ms : ms;
    pages.push({ address, cookie, status, ms: Math.min(ms, retryMs), maxMs });
    const here = new URL(address, url);
    const links = [...html.matchAll(/ href="([^"#]+)/g)].map(([, href]) => resolved(href!, here));
    queue.push(...[...links, ...searchesOf(html, here)].map(({ pathname, search }) => pathname + search));
  }
  const isMissed = (route: string) => !counts.has(`${MAX_PER_ROUTE} ${route}`);
  return { pages, missed: routes.map(({ route }) => route).filter(isMissed) };
}

/** The forms that search or choose, with each of their options. */
function searchesOf(html: string, here: URL): URL[] {
  const forms = html.matchAll(/<form(?![^>]*method="post")[^>]* action="([^"]+)"[^>]*>(.*?)<\/form>/gs);
  return [...forms].flatMap(([, action, fields]) => {
    const hidden = [...fields!.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const texts = [...fields!.matchAll(/type="(?:search|text)"[^>]* name="([^"]+)"/g)];
    const choices = [...fields!.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)];
    const filled = [
      ...texts.flatMap(([, name]) => SEARCHES.map((text) => [name!, text])),
      ...choices.flatMap(([, name, options]) =>
        [...options!.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => [name!, value!]),
      ),
      ...(/name="from"/.test(fields!) ? [['from', '2000-01-01']] : []),
    ];
    return filled.map(([name, value]) => {
      const url = resolved(action!, here);
      for (const [, key, kept] of hidden) url.searchParams.set(key!, kept!);
      url.searchParams.set(name!, value!);
      return url;
    });
  });
}

function resolved(href: string, here: URL): URL {
  return new URL(href.replaceAll('&amp;', '&'), here);
}
