import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { probe } from '../support/probe.js';
import { processorTimeOf } from '../support/process-figures.js';
import { RawConnection } from '../support/raw-connection.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service-process.js';

const PROBES = 300;
const REPEATS = 15;
const KB_252 = 252 * 1_024;

/**
 * Processor time of the service, which other work on the machine does not change. The goal is 20 ms. Such a
 * body once took 500 ms.
 */
const MAX_BODY_MS = 100;

/** The most bodies that the service handles while another client waits for one answer. */
const MAX_AHEAD = 8;

const list = (count: number, element: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => element(n)).join();
const fields = (count: number) => `{${list(count, (n) => `"${n.toString(36)}":1`)}}`;
const order = (items: string) => JSON.stringify(orderBody([])).replace('"items":[]', `"items":${items}`);

/** Each body is as large as the limits allow, or larger. */
const BODIES: Record<string, { body: string; status: number; code: string }> = {
  '31,000 unknown fields': { body: fields(31_000), status: 400, code: 'body_too_complex' },
  '84,000 items of nothing': {
    body: order(`[${list(84_000, () => '{}')}]`),
    status: 400,
    code: 'body_too_complex',
  },
  '125,000 numbers': { body: `{"x":[${list(125_000, () => '1')}]}`, status: 400, code: 'body_too_complex' },
  '9,900 items of nothing': {
    body: order(`[${list(9_900, () => '{}')}]`),
    status: 422,
    code: 'validation_failed',
  },
  '49 items of 200 unknown fields': {
    body: order(`[${list(49, () => fields(200))}]`),
    status: 422,
    code: 'validation_failed',
  },
  'a name that is a list of 9,900 objects': {
    body: `{"customer":{"name":[${list(9_900, () => '{}')}]}}`,
    status: 422,
    code: 'validation_failed',
  },
  '100 items with every fault': {
    body: order(`[${list(100, () => '{"sku":"","quantity":"x","variation":1}')}]`),
    status: 422,
    code: 'validation_failed',
  },
  'a name of 252 KB': {
    body: `{"customer":{"name":"${'é'.repeat(KB_252 / 2 - 50)}"}}`,
    status: 422,
    code: 'validation_failed',
  },
  'a name of 42,000 escapes': {
    body: `{"customer":{"name":"${String.raw`\u00e9`.repeat(42_000)}"}}`,
    status: 422,
    code: 'validation_failed',
  },
  'a number of 250,000 digits': {
    body: `{"expected_total":${'9'.repeat(250_000)}}`,
    status: 422,
    code: 'validation_failed',
  },
  '60,000 levels': { body: `{"items":${'['.repeat(60_000)}`, status: 400, code: 'malformed_json' },
};

describe('Bodies that are expensive to process', () => {
  const database = setUpDatabase();
  let service: ServiceProcess;
  let store: Store;
  let sku: string;
  let quiet: { p50: number; p99: number; failed: number };

  beforeAll(async () => {
    store = await database.fixtures.store();
    sku = (await database.fixtures.product()).sku;
    service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, RATE_LIMIT_PER_MINUTE: '0' });
    await others();
    quiet = await others();
  });

  const others = () => probe(service.url, store, `/api/products/${sku}/stock`, PROBES);

  const quote = async (body: string) => {
    const answer = await fetch(`${service.url}/api/orders/quote`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body,
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, code };
  };

  it.each(Object.entries(BODIES))('are refused: %s', async (what, { body, ...expected }) => {
    const pid = service.child.pid!;
    const before = await processorTimeOf(pid);
    for (let n = 0; n < REPEATS; n++) expect(await quote(body)).toEqual(expected);
    const ms = (10 * ((await processorTimeOf(pid)) - before)) / REPEATS;
    printFigures(what, { bytes: body.length, 'processor time (ms)': ms });
    expect(ms).toBeLessThan(MAX_BODY_MS);
  });

  it('are refused when they arrive in 250,000 chunks', async () => {
    const beganAt = performance.now();
    const connection = await RawConnection.open(
      service.url,
      `POST /api/orders/quote HTTP/1.1\r\nHost: store\r\nAuthorization: Bearer ${store.token}\r\n` +
        `X-Client-Domain: ${store.domain}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(250_000)}`,
    );
    await eventually(() => connection.received.includes('"request_id"'));
    printFigures('250,000 pieces', { 'answered after (ms)': performance.now() - beganAt });
    connection.end();
    expect(connection.received).toMatch(/^HTTP\/1\.1 400 /);
    expect(connection.received).toContain('"code":"body_too_complex"');
  });

  it.each(['31,000 unknown fields', '84,000 items of nothing', '49 items of 200 unknown fields'])(
    'do not delay other clients: two senders of %s without a pause',
    async (what) => {
      const { body, ...expected } = BODIES[what]!;
      let flooding = true;
      let sent = 0;
      const senders = Array.from({ length: 2 }, async () => {
        while (flooding) {
          expect(await quote(body)).toEqual(expected);
          sent++;
        }
      });
      const { p50, p99, failed } = await others();
      flooding = false;
      await Promise.all(senders);
      expect(failed).toBe(0);
      printFigures(`another client beside ${what}`, {
        sent,
        'p50 (ms)': p50,
        'quiet p50': quiet.p50,
        'p99 (ms)': p99,
        'quiet p99': quiet.p99,
      });
      expect(sent).toBeLessThan(MAX_AHEAD * PROBES);
    },
  );
});
