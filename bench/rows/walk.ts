import { readFile } from 'node:fs/promises';
import { signIn, signInAtDesk } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import { openHouse } from '../database/fill-house.js';
import { milliseconds } from '../figures.js';
import type { Finding } from '../finding.js';
import type { Row } from '../row.js';

const LONGEST_MS = 1_000;
/** A busy machine delays any page. It does not change the pages of PostgreSQL's cache that a page touches. */
const MOST_BUFFERS = 10_000;
const SHOWN = 10;

/** Of each route: pages of two things, and of each filter with two others. */
const ALIKE = 2;
const MOST_OF_ROUTE = 60;

/** They match nothing, a thousand, very many, and one. */
const SEARCHES = ['zzqzz', 'zacharias', 'kumar', 'sample', 'WO-20', 'SYN-0012345', 'a'];

/** Values that differ from link to link say nothing new. */
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
        ['', '&client=1', '&client=1000', '&from=2000-01-01', '&client=1&from=2000-01-01'].flatMap((more) => [
          `/desk/reports?by=${by}${more}`,
          `/desk/reports/sales.csv?by=${by}${more}`,
        ]),
      )
      .join(' ')}`,
  dashboard: '/dashboard/orders?group=all /dashboard/orders.csv /dashboard/wallet/statement.pdf',
};

interface Seen {
  address: string;
  as: string;
  status: number;
  ms: number;
}

/** All pages and files of desk and dashboard in a house of 1,000,000 orders, by links, filters and searches. */
export const walk: Row = {
  id: 'walk',
  async measure(bench) {
    const house = await openHouse(bench.postgres, bench.options.quick);
    const people = { pool: house.pool, url: '' };
    const server = await bench.service(house);
    const desk = new Walk(server.url, 'desk', (await signInAtDesk(people)).cookie);
    const owners = [house.store.clientId, house.smallClient].map(
      async (id) => new Walk(server.url, 'dashboard', (await signIn(people, id)).cookie),
    );
    const walks = [desk, ...(await Promise.all(owners))];
    const seen: Seen[] = [];
    for (const one of walks) seen.push(...(await one.go()));
    const slowest = seen.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
    const findings: Finding[] = [];
    for (const { address, as, status, ms } of slowest) {
      const buffers = await buffersOf(bench, () => ask(server.url + address, as));
      findings.push({
        work: `${status} ${address}`,
        measured: milliseconds(ms),
        against: `${buffers.toLocaleString('en')} buffers`,
        aim: `≤ ${LONGEST_MS} ms or ${MOST_BUFFERS.toLocaleString('en')} buffers`,
        reached: status < 500 && (ms <= LONGEST_MS || buffers <= MOST_BUFFERS),
      });
    }
    const missed = walks.slice(0, 2).flatMap((one) => one.missed());
    await house.pool.end();
    const bad = findings.filter(({ reached }) => !reached).map(({ work }) => work);
    if (bad.length > 0) throw new Error(`Of ${seen.length} addresses these are too slow: ${bad.join(', ')}`);
    return [
      ...findings,
      { work: 'routes without a page here', measured: missed.join(' '), against: '–', aim: 'reported' },
    ];
  },
};

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
  return { status: answer.status, html, ms: performance.now() - beganAt };
}

/** Returns the pages of PostgreSQL's cache that the work touched. Connections report them when they end. */
async function buffersOf({ postgres }: Bench, work: () => Promise<unknown>): Promise<number> {
  const touched = async () => {
    await postgres.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'house' AND state = 'idle'
          AND query !~ '^LISTEN'`,
    );
    const [row] = await postgres.query<{ touched: string }>(
      `SELECT blks_hit + blks_read AS touched FROM pg_stat_database WHERE datname = 'house'`,
    );
    return Number(row!.touched);
  };
  await work();
  const before = await touched();
  await work();
  return (await touched()) - before;
}

class Walk {
  private readonly counts = new Map<string, number>();
  private readonly queue: string[];
  private routes: { route: string; pattern: RegExp }[] = [];

  constructor(
    private readonly url: string,
    private readonly door: 'desk' | 'dashboard',
    private readonly cookie: string,
  ) {
    this.queue = SEEDS[door].split(/\s+/);
  }

  async go(): Promise<Seen[]> {
    const roles = await readFile(new URL(`../../../test/${this.door}/roles.txt`, import.meta.url), 'utf8');
    this.routes = [...roles.matchAll(/^(?!open)\w+ +GET +(\S+)$/gm)].map(([, route]) => ({
      route: route!,
      pattern: new RegExp(`^${route!.replace(/\{.*\}/, '(/[^/?]+)?').replace(/:\w+/g, '[^/?]+')}$`),
    }));
    this.queue.unshift(...this.routes.map(({ route }) => route).filter((route) => !/[:{]/.test(route)));
    const seen: Seen[] = [];
    for (let address = this.queue.shift(); address !== undefined; address = this.queue.shift()) {
      if (!this.isNew(address)) continue;
      const { html, ...first } = await ask(this.url + address, this.cookie);
      // Other work on the machine delays one answer, seldom two.
      const again = first.ms > LONGEST_MS && (await ask(this.url + address, this.cookie));
      const ms = again ? Math.min(first.ms, again.ms) : first.ms;
      seen.push({ address, as: this.cookie, status: first.status, ms });
      this.queue.push(...this.linksOf(html, address), ...this.searchesOf(html, address));
    }
    return seen;
  }

  missed(): string[] {
    return this.routes.map(({ route }) => route).filter((route) => !this.counts.has(route));
  }

  private routeOf(address: string): string | undefined {
    const { pathname } = new URL(address, this.url);
    return this.routes.find(({ pattern }) => pattern.test(pathname))?.route;
  }

  private isNew(address: string): boolean {
    const route = this.routeOf(address);
    if (route === undefined || this.counts.has(address)) return false;
    const query = [...new URL(address, this.url).searchParams]
      .map(([name, value]) => (ANY_VALUE.test(name) ? name : `${name}=${value}`))
      .toSorted();
    const kind = [route, ...query].join(' ');
    const [alike, ofRoute] = [this.counts.get(kind) ?? 0, this.counts.get(`all ${route}`) ?? 0];
    if (alike >= ALIKE || ofRoute >= MOST_OF_ROUTE) return false;
    for (const key of new Set([address, route, kind, `all ${route}`]))
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return true;
  }

  private linksOf(html: string, address: string): string[] {
    return [...html.matchAll(/ href="([^"#]+)/g)].map(([, href]) => this.resolved(href!, address));
  }

  /** The forms that search or choose, with each of their options. */
  private searchesOf(html: string, address: string): string[] {
    const forms = html.matchAll(/<form(?![^>]*method="post")[^>]* action="([^"]+)"[^>]*>(.*?)<\/form>/gs);
    return [...forms].flatMap(([, action, fields]) => {
      const hidden = [...fields!.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const searches = [...fields!.matchAll(/type="(?:search|text)"[^>]* name="([^"]+)"/g)].flatMap(
        ([, name]) => SEARCHES.map((text) => [name!, text]),
      );
      const choices = [...fields!.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].flatMap(
        ([, name, options]) =>
          [...options!.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => [name!, value!]),
      );
      const days = /name="from"/.test(fields!) ? [['from', '2000-01-01']] : [];
      return [...searches, ...choices, ...days].map(([name, value]) => {
        const url = new URL(this.resolved(action!, address), this.url);
        for (const [, key, kept] of hidden) url.searchParams.set(key!, kept!);
        url.searchParams.set(name!, value!);
        return url.pathname + url.search;
      });
    });
  }

  private resolved(href: string, address: string): string {
    const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), this.url + address);
    return pathname + search;
  }
}
