import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { printFigures } from '../support/print-figures.js';
import { probe } from '../support/probe.js';
import { processorTimeOf } from '../support/process-figures.js';
import { RawConnection } from '../support/raw-connection.js';
import { ServiceProcess } from '../support/service-process.js';

const IDLE_SOCKETS = 1_000;
const PROBES = 500;

/** The limit of processor time for refusing a body of 60 KB, in stock checks, which cost almost nothing. */
const MAX_STOCK_CHECKS = 40;

describe('Hostile clients', () => {
  const database = setUpDatabase();
  let service: ServiceProcess;
  let store: Store;
  let path: string;
  let quiet: { p50: number; p99: number; failed: number };
  const connections: RawConnection[] = [];

  beforeAll(async () => {
    store = await database.fixtures.store();
    path = `/api/products/${(await database.fixtures.product()).sku}/stock`;
    service = await ServiceProcess.start({
      DATABASE_URL: database.serviceUrl,
      RATE_LIMIT_PER_MINUTE: '0',
      PAYMENT_GATEWAY: 'sandbox',
    });
    await probe(service.url, store, path, PROBES);
    quiet = await probe(service.url, store, path, PROBES);
  });

  afterEach(() => {
    for (const connection of connections.splice(0)) connection.end();
  });

  async function open(bytes = ''): Promise<RawConnection> {
    const connection = await RawConnection.open(service.url, bytes);
    connections.push(connection);
    return connection;
  }

  const head = (more: string) =>
    `POST /api/orders HTTP/1.1\r\nHost: store\r\nAuthorization: Bearer ${store.token}\r\n` +
    `X-Client-Domain: ${store.domain}\r\n` +
    `Content-Type: application/json\r\n${more}\r\n`;

  async function expectOthersServed(under: string): Promise<void> {
    const { p50, p99, failed } = await probe(service.url, store, path, PROBES);
    expect(failed).toBe(0);
    printFigures(`another client beside ${under}`, {
      'p50 (ms)': p50,
      'quiet p50': quiet.p50,
      'p99 (ms)': p99,
      'quiet p99': quiet.p99,
    });
  }

  /** Returns the processor time of the service during the work. */
  async function processorTime(work: () => Promise<unknown>): Promise<number> {
    const before = await processorTimeOf(service.child.pid!);
    await work();
    return (await processorTimeOf(service.child.pid!)) - before;
  }

  it('do not delay others with a thousand idle sockets', async () => {
    await Promise.all(Array.from({ length: IDLE_SOCKETS }, () => open()));
    await expectOthersServed(`${IDLE_SOCKETS} idle sockets`);
  });

  it('are disconnected when the head or the body of their request comes too slowly', async () => {
    const beganAt = performance.now();
    const slowHead = await open('GET /api/products HTTP/1.1\r\nHost: store\r\n');
    const slowBody = await open(`${head('Content-Length: 1000\r\n')}{"customer":`);
    const trickle = setInterval(() => {
      slowHead.send('X-More: 1\r\n');
      slowBody.send(' ');
    }, 500);
    await expectOthersServed('slow heads and bodies');
    const seconds = (connection: RawConnection) =>
      connection.closed.then(() => (performance.now() - beganAt) / 1_000);
    const [headCut, bodyCut] = await Promise.all([seconds(slowHead), seconds(slowBody)]);
    clearInterval(trickle);
    expect(slowHead.received).toContain('HTTP/1.1 408');
    expect(slowBody.received).toContain('HTTP/1.1 408');
    printFigures('cut off', { 'slow head after (s)': headCut, 'slow body after (s)': bodyCut });
  });

  it('do not block sign-in and gateway events with unfinished posts', async () => {
    const headers = `Host: a\r\nContent-Length: 65536\r\nX-Razorpay-Signature: ${'0'.repeat(64)}\r\n`;
    const unfinished = `POST /payments/webhook HTTP/1.1\r\n${headers}\r\n${'x'.repeat(65_000)}`;
    await Promise.all(Array.from({ length: 262 }, () => open(unfinished)));
    await eventually(() => connections.some(({ received }) => received.includes('"rate_limited"')));
    for (let n = 0; n < 5; n++) {
      const event = await fetch(`${service.url}/payments/webhook`, {
        method: 'POST',
        headers: { 'X-Razorpay-Signature': '0'.repeat(64) },
        body: 'x'.repeat(60_000),
      });
      expect(await event.json()).toMatchObject({ code: 'signature_invalid' });
      const form = { email: 'me@example.com', password: 'not this one, I think' };
      const { status, text } = await new Browser(service.url).post('/dashboard/sign-in', form);
      expect([status, text.includes('The e-mail address or the password is wrong.')]).toEqual([422, true]);
    }
  });

  it('do not delay others with a flood of large and deep bodies', async () => {
    let flooding = true;
    let sent = 0;
    const body = `{"items":${'['.repeat(60_000)}`;
    const flood = Array.from({ length: 4 }, async () => {
      while (flooding) {
        const response = await fetch(`${service.url}/api/orders`, {
          method: 'POST',
          headers: { ...store.headers, 'Content-Type': 'application/json' },
          body,
        });
        expect(response.status).toBe(400);
        await response.arrayBuffer();
        sent++;
      }
    });
    const whileFlooded = await processorTime(() => expectOthersServed('a flood of deep bodies'));
    const refused = sent;
    flooding = false;
    await Promise.all(flood);
    const quietly = await processorTime(() => probe(service.url, store, path, PROBES));
    const stockChecks = (whileFlooded - quietly) / refused / (quietly / PROBES);
    printFigures('flood', { 'bodies refused': refused, 'stock checks that each is worth': stockChecks });
    expect(refused).toBeGreaterThan(0);
    expect(stockChecks).toBeLessThan(MAX_STOCK_CHECKS);
  });
});
