import type { Response } from 'supertest';
import { CLIENT_ROLES, DESK_ROLES, type DeskPerson } from '../../src/platform/access/signed-in-person.js';
import { monthAt } from '../../src/platform/time/time.js';
import { ImportRuns } from '../../src/shared/imports/import-runs.service.js';
import { FirmJob } from '../../src/modules/invoices/firm.job.js';
import { orderReturns } from '../support/order-returns.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { openCompany, placePaid } from '../browser/support/company.js';
import { placeOrder } from '../browser/support/shop.js';
import { moveOrder } from '../support/order-steps.js';
import { readElements, visitPages } from '../support/page-elements.js';
import { readRights } from '../support/routes.js';
import { type SignedIn, signIn, signInAtDesk, uploadAtDesk } from '../support/sign-in.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

/** What a packer must not read: money in any form. An e-way bill names its invoice, by the number alone. */
const SECRETS = /₹|\d[,\d]*\.\d\d\b(?!\.)|\b(CN|DN)-\d|price|refunded|\btotal\b/i;

/** Files of each kind, with rows that change something and rows that are refused. */
const FILES = {
  catalog: 'sku,name,base_price,delivery_charge\nKURTA-01,Kurta,559,60\nLAMP-1,Lamp,90,10\n',
  prices: 'plan,sku,wholesale_price\nnone,KURTA-01,1\n',
};

/** Each test visits hundreds of pages. This is enough on a busy machine too. */
const TIMEOUT_MS = 1_200_000;

/** The lists `elements.txt` name each element of a page below its lowest role. A new element joins them. */
describe('Each element of a page', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0, eInvoicesFrom: '2026-01-01' });
  const company = makeBeforeAll(() => openCompany(test));
  // The pages name the firm from now on.
  beforeAll(() => test.app.get(FirmJob, { strict: false }).runSoon());

  it(
    'of the desk is for people with its lowest role and above, and packers read no amount',
    async () => {
      const people = {
        packer: await signInAtDesk(test, 'packer'),
        staff: await signInAtDesk(test, 'staff'),
        admin: await signInAtDesk(test),
      };
      // The gateway answers at a moment of its own; from now on it has.
      await people.staff.post(`/desk/money/payments/${company.payment}/settle`);
      // A return that came without a decision about its money.
      const returns = orderReturns(test.app);
      const sent = await placePaid(test, company);
      await moveOrder(test, company.store, sent, 'ship');
      const back = await returns.add(sent, { lines: [{ line: 1, quantity: 1 }], reason: 'broken' }, 'test');
      await returns.receive(back.number, { restock: [], refund: undefined }, 'test');
      const secrets: string[] = [];
      const { elements, unvisited } = await visit(
        'desk',
        DESK_ROLES,
        people,
        await startsOfDesk(people.staff),
        {
          packer: (path, { type, text }) => {
            const secret = type.startsWith('text/') && SECRETS.exec(text);
            if (secret) secrets.push(`${path}: ${secret[0]}`);
          },
        },
      );
      expect(secrets).toEqual([]);
      expect(unvisited).toEqual([]);
      expect(elements).toEqual(readElements(new URL('desk/elements.txt', import.meta.url)));
    },
    TIMEOUT_MS,
  );

  it(
    'of the dashboard is for people with its lowest role and above',
    async () => {
      const { clientId } = company.store;
      // Today, whatever the hour. Another unpaid order is of an earlier day.
      await placeOrder(test, company.store, 50);
      // Only the newest requests are visited.
      await test.app.get(RequestLog, { strict: false }).writeAll();
      const people = {
        viewer: await signIn(test, clientId, 'viewer'),
        buyer: await signIn(test, clientId, 'buyer'),
        owner: await signIn(test, clientId),
      };
      const { elements, unvisited } = await visit('dashboard', CLIENT_ROLES, people, startsOfDashboard());
      expect(unvisited).toEqual([]);
      expect(elements).toEqual(readElements(new URL('dashboard/elements.txt', import.meta.url)));
    },
    TIMEOUT_MS,
  );

  async function visit<Role extends string>(
    area: 'desk' | 'dashboard',
    roles: readonly Role[],
    people: Record<Role, Pick<SignedIn, 'get'>>,
    starts: readonly string[],
    observers: Partial<Record<Role, (path: string, answer: Response) => void>> = {},
  ) {
    const rights = readRights(new URL(`${area}/roles.txt`, import.meta.url));
    const pages = [...rights]
      .filter(([route, right]) => route.startsWith('GET ') && !['open', roles.at(-1)].includes(right))
      .map(([route]) => route.replace(/^GET +/, ''));
    const visited = new Set<string>();
    const elements = await visitPages<Role>({
      roles,
      rights,
      people,
      starts: [...starts, ...pages.filter((path) => !path.includes(':'))],
      observe: (role, path, answer) => {
        visited.add(path);
        observers[role]?.(path, answer);
      },
    });
    const isVisited = (page: string) => {
      const pattern = page.replace(/\{.*\}/, '.*').replace(/:\w+/g, '[^/]+');
      return [...visited].some((path) => new RegExp(`^${pattern}(\\?|$)`).test(path));
    };
    return { elements, unvisited: pages.filter((page) => !isVisited(page)) };
  }

  async function startsOfDesk(staff: SignedIn<DeskPerson>): Promise<string[]> {
    const upload = (kind: string, content: string) =>
      uploadAtDesk(test.url, staff.cookie, { kind, name: `${kind}.csv`, content: Buffer.from(content) });
    const { inParts, toShip, toPack, unpaid, shipped, cancelled, payment } = company;
    await test.fixtures.sql(`UPDATE products SET low_stock = 600 WHERE sku = 'TEA-250'`, []);
    const shipments = `order_number,courier,tracking_number\n${toShip},DTDC,D1\nWO-1,DTDC,D2\n`;
    const files = Object.entries({ ...FILES, shipments });
    const runs = [];
    for (const [kind, content] of files) runs.push(await upload(kind, content));
    await upload('stock', 'article\n1\n');
    await test.app.get(ImportRuns).settled();
    const month = monthAt(Date.now(), 'Asia/Kolkata');
    return [
      ...runs,
      ...runs.slice(1).map((run) => `${run}/refused.csv`),
      ...[inParts, unpaid[0]!, toPack, shipped].map((number) => `/desk/orders/${number}`),
      ...[inParts, 'Anaya', 'KURTA', 'Ravi'].map((word) => `/desk/search?q=${word}`),
      `/desk/money/month?month=${month}`,
      `/desk/money/payments/${payment}`,
      `/desk/money/ledgers/${company.store.clientId}`,
      `/desk/orders/${cancelled}`,
    ];
  }

  function startsOfDashboard(): string[] {
    const { inParts, unpaid, shipped, cancelled, payment } = company;
    return [
      ...[inParts, unpaid[0]!, shipped, cancelled].map((number) => `/dashboard/orders/${number}`),
      `/dashboard/payments/${payment}`,
      `/dashboard/payments/${payment}/checkout`,
      `/dashboard/pay?order=${unpaid[0]}`,
      '/dashboard/orders/new?search=tea',
      // Some days have no unpaid order, soon after midnight.
      `/dashboard/pay?group=to_pay&back=${encodeURIComponent('/dashboard/orders?group=to_pay')}`,
    ];
  }
});
