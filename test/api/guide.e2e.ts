import { readdir } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import request from 'supertest';
import { DemoLoad } from '../../src/demo/demo-load.service.js';
import { type Language, LANGUAGES } from '../../src/api/guide/example-files.js';
import { apiChanges } from '../../src/api/guide/api-changes.js';
import { OwnAddress } from '../../src/platform/http/own-address.js';
import {
  docUrlOf,
  ERROR_CODES,
  FIELD_CODES,
  type StoreErrorCode,
} from '../../src/platform/errors/error-codes.js';
import { TEST_FAILURES } from '../../src/platform/access/test-failure.js';
import { ORDER_STATUSES } from '../../src/modules/orders/rules/order-transitions.js';
import { RETURN_STATES } from '../../src/modules/orders/rules/return-request.js';
import { STEPS } from '../../src/modules/test-orders/advance-order.js';
import { moveOrder } from '../support/order-steps.js';
import { readable, unescaped } from '../support/page-text.js';
import { runProgram } from '../support/run-node.js';
import { type SignedIn, signIn } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';
import { canRun } from './clients/programs.js';

const PATH = '/docs/guide';

describe('The guide', () => {
  const test = setUpTestApp();
  let owner: SignedIn;
  let secret: string;
  let domain: string;

  beforeAll(async () => {
    const credentials = await test.app.get(DemoLoad).load(() => Promise.resolve());
    ({ token: secret, domain } = credentials!);
    await test.fixtures.observed();
    const { rows } = await test.pool.query<{ id: number }>(
      'SELECT client_id AS id FROM client_domains WHERE domain = $1',
      [domain],
    );
    owner = await signIn(test, rows[0]!.id);
  });

  /** The texts to copy, by their ids. */
  const texts = async (language: Language): Promise<Record<string, string>> => {
    const { text } = await owner.get(`${PATH}?lang=${language}`).expect(200);
    const found = [...text.matchAll(/<pre id="([\w-]+)"[^>]*>([^<]*)<\/pre>/g)];
    return Object.fromEntries(found.map(([, id, code]) => [id!, unescaped(code!)]));
  };

  /** Pastes texts of the page into a shell that begins as the page says. */
  const paste = async (
    language: Language,
    folder: string,
    example: string,
    token = secret,
  ): Promise<string> => {
    const displayed = await texts(language);
    const lines = `{ ${displayed['set-up']}\n${displayed[`${example}-run`] ?? displayed[`${example}-code`]}\n} <<< "$SECRET"`;
    const args = ['-euo', 'pipefail', '-c', lines];
    const { exitCode, stdout, stderr } = await runProgram('bash', args, { SECRET: token }, folder);
    expect([example, exitCode, stderr]).toEqual([example, 0, '']);
    return stdout.replace(/^Token: /, '');
  };

  describe.each(Object.keys(LANGUAGES) as Language[])('in %s', (language) => {
    const { extension, name } = LANGUAGES[language];
    if (!canRun(extension)) {
      it.skip(`is not tried: ${name} is not on this machine`, () => undefined);
      return;
    }

    let folder: string;
    beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'guide-'))));
    afterAll(() => rm(folder, { recursive: true }));

    const answersOf = (stdout: string) =>
      [...stdout.matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line) as Record<string, unknown>);

    it('leads to a first order, which is the same in every language', async () => {
      const stdout = await paste(language, folder, 'first-order');
      const { body } = await test
        .get(
          { headers: { Authorization: `Bearer ${secret}`, 'X-Client-Domain': domain } } as never,
          '/api/orders/WEB-3001/status',
        )
        .expect(200);
      const { order_number, total_amount } = body as { order_number: string; total_amount: number };
      expect(stdout).toContain(order_number);
      expect(stdout).toContain(String(total_amount));
      if (language !== 'curl') expect(stdout).toMatch(/^TSHIRT-CLASSIC Classic Cotton T-Shirt [\d.]+$/m);
    });

    it('keeps stock: all of it once, then what changed', async () => {
      const stdout = await paste(language, folder, 'polling');
      if (language === 'curl') {
        expect(answersOf(stdout)).toMatchObject([{ data: [], sync_token: expect.any(String) }]);
        return;
      }
      expect(stdout).toBe('59 products changed, 59 are for sale\n');
      expect(await paste(language, folder, 'polling')).toBe('0 products changed, 59 are for sale\n');
    });

    it('follows the order, asks for a return once and saves its invoices', async () => {
      const before = await paste(language, folder, 'follow');
      await shipOnce();
      const after = await paste(language, folder, 'follow');
      const returns = await paste(language, folder, 'returns');
      const invoices = await paste(language, folder, 'invoices');
      const saved = (await readdir(folder)).filter((file) => file.endsWith('.pdf'));
      expect(saved.length).toBeGreaterThan(0);
      if (language === 'curl') {
        expect(answersOf(after)).toMatchObject([{ status: 'shipped' }, { data: [] }]);
        const back = { store_return_id: 'RET-3001', state: 'requested' };
        expect(answersOf(returns)).toMatchObject([{ data: back }, { returns: [back] }]);
        expect(answersOf(invoices)).toMatchObject([{ documents: [{ kind: 'invoice' }] }]);
        return;
      }
      expect(before).toMatch(/^Order WEB-3001 is /);
      expect(
        after.includes('Tracking: Delhivery DL123') || before.includes('Tracking: Delhivery DL123'),
      ).toBe(true);
      expect(returns).toMatch(
        /^Return RT-\S+ is requested and refunded 0\nStoneware Mug, 350 ml asked: 1 received: 0\n$/,
      );
      expect(invoices).toMatch(/^invoice INV-\S+ \d+/);
    });

    it('moves a test order on', async () => {
      const { token } = await test.fixtures.token(owner.person.clientId, domain, 'test');
      const stdout = await paste(language, folder, 'testing', token);
      const statuses = [...stdout.matchAll(/(?:is |"status":")(pending|shipped|delivered)\b/g)];
      expect(new Set(statuses.map(([, status]) => status))).toEqual(
        new Set(['pending', 'shipped', 'delivered']),
      );
      expect(stdout).toMatch(/TEST\d{8}/);
      expect(stdout).toMatch(language === 'curl' ? /"code":"unavailable"/ : /^422 validation_failed: /m);
    });

    it('shows how to read an error', async () => {
      const stdout = await paste(language, folder, 'errors');
      for (const part of ['validation_failed', 'customer.phone', 'shipping.pincode', 'items[0].sku'])
        expect(stdout).toContain(part);
    });
  });

  /** What the wholesaler does. Once for all languages. */
  let shipped: Promise<void> | undefined;
  const shipOnce = (): Promise<void> => (shipped ??= ship());
  const ship = async () => {
    const { person } = owner;
    const { rows } = await test.pool.query<{ number: string }>(
      `SELECT order_number AS number FROM orders WHERE store_order_id = 'WEB-3001'`,
    );
    const { number } = rows[0]!;
    await moveOrder(test, { clientId: person.clientId } as never, number, 'pay', 'ship');
  };

  it('shows the domain of a person who is signed in, and never a secret', async () => {
    const { text } = await owner.get(PATH);
    expect(text).toContain(`DOMAIN=${domain}`);
    expect(text).not.toContain('wha_');
    const outsider = await request(test.url).get(PATH).set('Cookie', 'session=unknown').expect(200);
    expect(outsider.text).toContain('DOMAIN=store.example.com');
    expect(outsider.headers['content-security-policy']).toContain("style-src 'self'");
  });

  it('asks for an SKU of the store, because there is no demo', async () => {
    const words = readable((await owner.get(PATH).expect(200)).text);
    expect(words).toContain('Instead of MUG-350 , take an SKU of your list.');
    expect(words).not.toMatch(/run as they are|of the demo/);
  });

  it('explains every error code of the API', async () => {
    const { text: page } = await request(test.url).get(PATH);
    const text = readable(page);
    for (const code of Object.keys(FIELD_CODES)) expect(text).toContain(code);
    for (const [code, [, , advice]] of Object.entries(ERROR_CODES)) {
      const [address, anchor] = docUrlOf(code as StoreErrorCode)!.split('#');
      expect(address).toBe(PATH);
      expect(page.split(`id="${anchor}"`)).toHaveLength(2);
      expect(text).toContain(code);
      expect(text).toContain(readable(advice.replaceAll('`', ' ')).trim().split(' ')[0]);
    }
  });

  it('names each status, step and state in its tables', async () => {
    const { text } = await request(test.url).get(PATH);
    const tables = [...text.matchAll(/<caption[^>]*>([^<]*)<\/caption>(.*?)<\/table>/gs)].map(
      ([, caption, rows]) =>
        [
          caption,
          [...rows!.matchAll(/<td class="as-title"><code[^>]*>(\w+)/g)].map(([, code]) => code),
        ] as const,
    );
    expect(Object.fromEntries(tables)).toEqual({
      'Statuses of an order': ORDER_STATUSES,
      'Steps of a test order': STEPS,
      'Values of X-Test-Failure': Object.keys(TEST_FAILURES),
      'Error codes': Object.keys(ERROR_CODES),
      'Codes of fields': Object.keys(FIELD_CODES),
      'States of a return': RETURN_STATES,
    });
  });

  it('has no link that leads nowhere', async () => {
    const { text } = await owner.get(PATH);
    const [, guide = ''] = text.split('<div class="guide">');
    const links = new Set([...guide.matchAll(/<a [^>]*?href="(\/[^"#]*)"/g)].map(([, link]) => link!));
    expect(links.size).toBeGreaterThan(10);
    for (const link of links) await owner.get(link).expect(200);
  });

  it('is also Markdown, with all that the page says', async () => {
    const { text, headers } = await request(test.url).get(`${PATH}.md?lang=php`).expect(200);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    const page = (await request(test.url).get(`${PATH}?lang=php`)).text;
    const displayed = [...page.matchAll(/<pre id=[^>]*>([^<]*)<\/pre>/g)].map(([, code]) => unescaped(code!));
    expect(displayed.length).toBeGreaterThan(10);
    for (const code of displayed) expect(text).toContain(`\`\`\`\n${code.trimEnd()}\n\`\`\``);
    const wordsOf = (some: string) => some.replaceAll(/[^a-zA-Z0-9]+/g, ' ').trim();
    const words = wordsOf(text.replaceAll(/\]\([^)]*\)/g, ''));
    const parts = [...page.matchAll(/<(p|li|h2|h3|td)(?: [^>]*)?>(?!<a href="#)(.*?)<\/\1>/gs)].map(
      ([, , html]) => wordsOf(unescaped(html!.replaceAll(/<[^>]*>/g, ''))),
    );
    expect(parts.length).toBeGreaterThan(100);
    expect(parts.filter((part) => !words.includes(part))).toEqual([]);
    expect(text).not.toMatch(/undefined|\[object/);
    expect(text).toContain(`](${test.app.get(OwnAddress).publicUrl}/docs/openapi.json)`);
  });

  it('is found by programs: each address of llms.txt exists', async () => {
    const { text, headers } = await request(test.url).get('/llms.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const { publicUrl } = test.app.get(OwnAddress);
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThanOrEqual(8);
    for (const link of links) {
      expect(link.startsWith(`${publicUrl}/`)).toBe(true);
      await request(test.url).get(link.slice(publicUrl.length)).expect(200);
    }
  });

  it('keeps the language in its address, and reads an unknown one as curl', async () => {
    const php = (await request(test.url).get(`${PATH}?lang=php`)).text;
    expect(php).toMatch(/<a href="\?lang=php#polling" aria-current="page">PHP/);
    for (const requested of ['perl', 'constructor', 'php&lang=node'])
      expect((await request(test.url).get(`${PATH}?lang=${requested}`).expect(200)).text).toContain(
        'api() {',
      );
  });

  it('lets stores download each file, as text', async () => {
    const { text } = await request(test.url).get(PATH);
    const [...links] = new Set(
      [...text.matchAll(/href="(\/docs\/clients\/[^"]+)"/g)].map(([, link]) => link!),
    );
    expect(links).toHaveLength(5);
    for (const link of links) {
      const file = await request(test.url).get(link).expect(200);
      expect([link, file.headers['content-type']]).toEqual([link, 'text/plain; charset=utf-8']);
    }
    for (const other of ['package.json', '..%2Fpackage.json', 'constructor'])
      await request(test.url).get(`/docs/clients/${other}`).expect(404);
  });

  it('is linked from the reference, the dashboard and the first steps', async () => {
    const { body } = await request(test.url).get('/docs/openapi.json');
    expect((body as { info: { description: string } }).info.description).toContain(`](${PATH})`);
    for (const page of ['/dashboard/api-access', '/dashboard/help'])
      expect((await owner.get(page)).text).toContain(`href="${PATH}"`);
    const newcomer = await signIn(test, (await test.fixtures.store()).clientId);
    expect((await newcomer.get('/dashboard')).text).toContain(`href="${PATH}"`);
  });

  it('takes the changes of the API from the changelog', () => {
    const text =
      '# Changelog\n\n## 1.1.0\n\n- **Store API.** All.\n- **Desk.** A\n- **Store API.** 2026-11-27: New\n  field.\n' +
      '- **Store API.** 2026-11-28: A.\n- **Store API.** 2026-11-28: B.\n\nTo do.\n\n## 1.0.0\n\n- **Store API.** First.\n';
    expect(apiChanges(text)).toEqual([
      { when: '2026-11-28', texts: ['A.', 'B.'] },
      { when: '2026-11-27', texts: ['New field.'] },
      { when: '1.1.0', texts: ['All.'] },
      { when: '1.0.0', texts: ['First.'] },
    ]);
  });
});
