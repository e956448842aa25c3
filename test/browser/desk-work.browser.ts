import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { DeskPerson } from '../../src/platform/access/signed-in-person.js';
import { BankTransfersService } from '../../src/modules/payments/bank-transfers.service.js';
import { addDays, dayAt } from '../../src/platform/time/time.js';
import { type SignedIn, signInAtDesk } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { overflow } from './support/findings.js';
import { WIDTHS } from './support/looks.js';
import { placePaid } from './support/company.js';
import { openShop, type Shop } from './support/shop.js';

describe.each([
  { width: 'desk', scripts: true },
  { width: 'phone', scripts: false },
] as const)('At the desk, on a $width, scripts $scripts,', ({ width, scripts }) => {
  const chromium = new Chromium();
  let test: TestApp;
  let shop: Shop;
  let staff: SignedIn<DeskPerson>;
  let folder: string;

  beforeAll(async () => {
    test = await startTestApp();
    shop = await openShop(test);
    staff = await signInAtDesk(test, 'staff');
    folder = await mkdtemp(path.join(os.tmpdir(), 'desk-work-'));
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  const visit = (as = staff) => chromium.openPage(test, { as, width, scripts });
  const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

  /** Waits for the next page, which must fit. */
  const leads = async (page: Page, does: Promise<unknown>) => {
    await Promise.all([page.waitForEvent('load'), does]);
    expect([await titleOf(page), await overflow(page)]).toEqual([expect.any(String), 0]);
  };
  const follow = (page: Page, name: string) =>
    leads(page, page.getByRole('main').getByRole('link', { name, exact: true }).click());
  const press = (page: Page, name: string) =>
    leads(page, page.getByRole('button', { name, exact: true }).click());
  const open = (page: Page, address: string) => leads(page, page.goto(address));

  const fileWith = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const choose = async (page: Page, file: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByLabel('File', { exact: true }).click(),
    ]);
    await chooser.setFiles(file);
  };
  const download = async (page: Page, name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };

  /** Without scripts a person looks again. */
  const ends = async (page: Page) => {
    const isActive = /^(Checking|Applying)/;
    if (scripts) await page.locator('h1').filter({ hasNotText: isActive }).waitFor();
    else while (isActive.test(await titleOf(page))) await follow(page, 'Look again');
    return titleOf(page);
  };

  it('the bar shows all links, and on a desk has one line with the whole name of a firm', async () => {
    const page = await visit();
    await open(page, '/desk');
    const name = page.locator('.brand-names > span');
    await name.evaluate((span) => (span.textContent = 'Sharma Wholesale Private Limited'));
    await page.locator('.menu-name').evaluate((span) => (span.textContent = 'Sunita Deshpande'));
    for (const link of await page.locator('.navigation a').all()) {
      const { x, width: ofLink } = (await link.boundingBox())!;
      expect([x >= 0, x + ofLink <= WIDTHS[width]]).toEqual([true, true]);
    }
    if (width === 'phone') return;
    expect((await page.locator('.bar').boundingBox())!.height).toBeLessThan(60);
    expect(await name.evaluate((span) => span.scrollWidth - span.clientWidth)).toBe(0);
  });

  it('Back after an action shows the form and its review again, and asks nothing', async () => {
    const number = await placePaid(test, shop);
    const page = await visit(await signInAtDesk(test, 'staff'));
    await open(page, `/desk/orders/${number}`);
    await follow(page, 'Cancel');
    await page.getByLabel('Block-print kurta', { exact: true }).fill('1');
    await page.locator('form').evaluateAll((forms) => {
      for (const form of forms as HTMLFormElement[]) form.noValidate = true;
    });
    await press(page, 'See what changes');
    expect(await page.title()).toMatch(/^Error: /);
    await page.getByLabel('Reason').fill('no stock');
    await press(page, 'See what changes');
    await press(page, 'Cancel 1 unit');
    expect(await titleOf(page)).toContain(number);
    // Chromium would ask to send the form again, if it had not kept the answer: ERR_CACHE_MISS.
    await page.goBack();
    expect(await titleOf(page)).toBe(`Cancel ${number}?`);
    await page.goBack();
    expect(await page.title()).toMatch(/^Error: /);
    await page.goForward();
    await press(page, 'Cancel 1 unit');
    const { rows } = await test.pool.query(
      'SELECT sum(cancelled)::int AS units FROM order_items WHERE order_number = $1',
      [number],
    );
    expect(rows).toEqual([{ units: 1 }]);

    await open(page, '/desk');
    await page.locator('.menu summary').click();
    await press(page, 'Sign out');
    for (const _ of ['the first page', 'the order']) {
      await page.goBack();
      expect(await titleOf(page)).toBe('Sign in');
    }
    await expect(page.goBack()).rejects.toThrow('ERR_CACHE_MISS');
  });

  it('an order is taken by phone, with a found product and an earlier recipient, and sent once', async () => {
    const page = await visit();
    await open(page, `/desk/clients/${shop.store.clientId}`);
    await follow(page, 'New order');
    await page.getByLabel('SKU, quantity and variation').fill('TEA-250 2');
    await page.getByLabel('Find products').fill('kurta');
    await press(page, 'Find');
    await leads(page, page.getByRole('button', { name: /^Add Block-print kurta/ }).click());
    await press(page, 'Fill in');
    expect(await page.getByLabel('SKU, quantity and variation').inputValue()).toBe('TEA-250 2\nKURTA-01 1');
    await press(page, 'Review the order');
    const place = page.getByRole('button', { name: /^Place the order · ₹/ });
    await leads(page, place.dblclick());
    const title = await titleOf(page);
    await page.goBack();
    expect(await titleOf(page)).toMatch(/^Order for /);
    await leads(page, place.click());
    expect(await titleOf(page)).toBe(title);
    const { rows } = await test.pool.query(`SELECT items_count FROM orders WHERE origin = 'desk'`);
    expect(rows).toEqual([{ items_count: 2 }]);
  });

  it('a file is checked and applied, also while no page is open', async () => {
    const page = await visit();
    await open(page, '/desk/imports');
    await page.getByLabel('The file has').selectOption('stock');
    await choose(
      page,
      await fileWith('count.csv', 'sku,variation,quantity\nKURTA-01,,480\nTEA-250,,499\nNONE-1,,3\n'),
    );
    await press(page, 'Upload and check');
    expect(await ends(page)).toBe('2 rows would be written, 1 row refused');
    expect(await page.getByRole('main').innerText()).toMatch(/KURTA-01[^]*On hand: \d+ → 480/);
    const run = page.url();

    const locked = await test.pool.connect();
    try {
      await locked.query('BEGIN');
      await locked.query('SELECT FROM stock_items FOR UPDATE');
      await press(page, 'Apply 2 rows');
      expect(await titleOf(page)).toBe('Applying count.csv');
      expect(await page.getByRole('progressbar').count()).toBe(1);
      await open(page, '/desk/goods');
      await locked.query('COMMIT');
    } finally {
      locked.release();
    }
    await open(page, '/desk/imports');
    await follow(page, 'count.csv');
    expect(page.url()).toBe(run);
    expect(await ends(page)).toBe('2 rows written, 1 row refused');
    expect(await overflow(page)).toBe(0);

    const refused = await download(page, 'Download refused rows');
    expect(refused.name).toMatch(/^import-\d+-refused\.csv$/);
    expect(refused.text).toMatch(/^sku,variation,quantity,reason\r\nNONE-1,,3,.+\r\n$/);
    await open(page, '/desk/goods/products/KURTA-01');
    expect(await page.getByRole('row', { name: /^Product .*480/ }).count()).toBe(1);
  });

  it('the next step of an order and of its review is two Tabs away', async () => {
    const page = await visit();
    const address = `/desk/orders/${await placePaid(test, shop)}`;
    const secondTab = async () => {
      await page.locator('main').focus();
      for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
      return page.locator(':focus').innerText();
    };
    await open(page, address);
    expect(await secondTab()).toBe('Ship');
    await follow(page, 'Ship');
    await page.getByLabel('Courier').fill('DTDC');
    await press(page, 'See what changes');
    expect(await secondTab()).toBe('Ship 4 units');
  });

  it('a product is found and changed by the keyboard alone', async () => {
    const page = await visit();
    await open(page, '/desk/goods');
    const tabTo = async (target: Locator) => {
      const isThere = () => target.evaluate((element) => element === document.activeElement);
      for (let tabs = 0; tabs < 60 && !(await isThere()); tabs++) await page.keyboard.press('Tab');
      expect(await isThere()).toBe(true);
    };
    const enter = async (target: Locator) => {
      await tabTo(target);
      await leads(page, page.keyboard.press('Enter'));
    };
    const kurta = page.getByRole('link', { name: 'Block-print kurta' });

    await tabTo(page.getByRole('main').getByRole('searchbox'));
    await page.keyboard.type('kurta');
    if (scripts)
      await page
        .getByRole('status')
        .filter({ hasText: /^1 product$/ })
        .waitFor();
    else await leads(page, page.keyboard.press('Enter'));
    expect(new URL(page.url()).search).toMatch(/\?search=kurta/);
    expect(await page.locator('tbody tr').count()).toBe(1);
    await enter(kurta);
    await enter(page.getByRole('link', { name: 'Edit', exact: true }));
    await tabTo(page.getByLabel('Shelf'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('B-12');
    await enter(page.getByRole('button', { name: 'See what changes' }));
    expect(await titleOf(page)).toBe('Change KURTA-01?');
    expect(await page.getByRole('main').innerText()).toMatch(/Shelf\s+\S+ → B-12/);
    await enter(page.getByRole('button', { name: 'Change 1 value' }));
    expect(await titleOf(page)).toBe('Block-print kurta');
    expect(await page.locator('.notices').innerText()).toContain('Changed Shelf.');
    expect(await page.getByRole('main').innerText()).toMatch(/Shelf\s+B-12/);
  });

  it('a client is added, gets money and another token', async () => {
    const page = await visit(await signInAtDesk(test));
    await open(page, '/desk/clients');
    await follow(page, 'New client');
    await page.getByLabel('Name of the store').fill('Indus Crafts');
    await page.getByLabel('E-mail address of its owner').fill('owner@indus.example.com');
    await page.getByLabel('Domain').fill('indus.example.com');
    await page.getByLabel('Until').fill(addDays(dayAt(Date.now(), 'Asia/Kolkata'), 30));
    await press(page, 'Add the client');
    expect(await titleOf(page)).toBe('Copy the token of Indus Crafts now');
    expect(await page.getByLabel(/^Link for the owner/).inputValue()).toMatch(/\/dashboard\/link#[\w-]{43}$/);
    await follow(page, 'I have saved them');

    await follow(page, 'Wallet');
    await follow(page, 'Correct the wallet');
    await page.getByLabel('Amount').fill('1,250.50');
    await page.getByLabel('Reason').fill('Welcome gift');
    await press(page, 'See what changes');
    expect(await titleOf(page)).toBe('Add ₹1,250.50 to the wallet of Indus Crafts?');
    await press(page, 'Add ₹1,250.50 to the wallet');
    expect(await titleOf(page)).toBe('₹1,250.50 in the wallet of Indus Crafts');
    expect(await page.getByRole('main').innerText()).toContain('Welcome gift');

    await follow(page, 'Tokens and domains');
    expect(await titleOf(page)).toBe('Indus Crafts: 1 valid token');
    await page.getByLabel('Name').fill('Stock sync');
    await page.getByLabel('Domain', { exact: true }).fill('indus.example.com');
    await press(page, 'Make a token');
    const token = await page.getByLabel('Token').inputValue();
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': 'indus.example.com' };
    await test.fixtures.observed();
    expect((await fetch(`${test.url}/api/plan`, { headers })).status).toBe(200);
    await follow(page, 'I have saved it');
    expect(await titleOf(page)).toBe('Indus Crafts: 2 valid tokens');
    expect(await page.content()).not.toContain(token);
  });

  it('a bank transfer is confirmed', async () => {
    const transfers = test.app.get(BankTransfersService, { strict: false });
    await transfers.announce(shop.store.clientId, '2500', 'HDFCN26112200417', 'test', 'Anaya Traders');
    const page = await visit();
    await open(page, '/desk');
    await leads(page, page.getByRole('navigation').getByRole('link', { name: 'Money' }).click());
    expect(await titleOf(page)).toBe('1 transfer waits to be confirmed');
    await follow(page, 'Anaya Home');
    expect(await page.getByRole('main').innerText()).toContain('Recorded: Anaya Traders.');
    await page.getByLabel('Payer on your bank statement').fill('ANAYA TRADERS');
    await press(page, 'Confirm the bank transfer');
    expect(await titleOf(page)).toBe('No transfer waits');
    expect(await page.locator('.notices').innerText()).toContain('₹2,500.00 is in the wallet of Anaya Home.');
  });

  it('a packer finds an order and ships it', async () => {
    const number = await placePaid(test, shop);
    const page = await visit(await signInAtDesk(test, 'packer'));
    await open(page, '/desk/orders');
    await page.getByRole('main').getByRole('searchbox').fill(number);
    await leads(page, page.keyboard.press('Enter'));
    expect(new URL(page.url()).pathname).toBe(`/desk/orders/${number}`);
    await follow(page, 'Ship');
    await page.getByLabel('Courier').fill('DTDC');
    await page.getByLabel('Tracking number').fill('D-77');
    await press(page, 'See what changes');
    expect(await page.getByRole('main').innerText()).toContain('Nothing is done yet.');
    await press(page, 'Ship 4 units');
    expect(await titleOf(page)).toContain('is on its way');
    expect(await page.locator('.notices').innerText()).toContain('4 units shipped.');
    expect(await page.content()).not.toContain('₹');
  });

  it('a report is chosen, seen and taken along', async () => {
    const page = await visit();
    await open(page, '/desk/reports');
    const bars = () => page.locator('.plot-area').first().locator('.plot-touch').count();
    const group = () => page.getByRole('heading', { level: 2 }).last().innerText();
    expect([await bars(), await group()]).toEqual([30, 'Days']);
    await follow(page, 'Products');
    expect(await bars()).toBe(await page.locator('tbody').last().locator('tr').count());
    expect(await group()).toBe('Products');
    await follow(page, 'This month');
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('to', { exact: true })];
    expect(await from.inputValue()).toMatch(/-01$/);
    const last = await to.inputValue();
    await from.fill(addDays(last, -6));
    await press(page, 'Show');
    const file = await download(page, 'CSV');
    expect(file.name).toBe(`sales-by-product-${addDays(last, -6)}-to-${last}.csv`);
    expect(file.text).toContain('KURTA-01');
    await from.fill('2020-01-01');
    await to.fill('2020-01-31');
    await press(page, 'Show');
    expect(await titleOf(page)).toBe('No sales in this period');
    expect(await page.locator('.plot').count()).toBe(0);
  });
});

describe('At the desk, with scripts,', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    test = await startTestApp();
    shop = await openShop(test);
  });
  afterAll(() => test.close());

  it('a file that is too large is not sent', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'desk-work-'));
    const file = path.join(folder, 'large.csv');
    await writeFile(file, '');
    await truncate(file, 100_000_001);
    const page = await chromium.openPage(test, { as: await signInAtDesk(test, 'staff') });
    await page.goto('/desk/imports');
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Upload and check' }).click();
    const wrong = await page
      .getByLabel('File', { exact: true })
      .evaluate((field: HTMLInputElement) => field.validationMessage);
    expect(wrong).toBe('The file may have at most 100 MB.');
    const { rows } = await test.pool.query('SELECT FROM import_runs');
    expect(rows).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('the way back from an order leads to the list as it was left', async () => {
    const number = await placePaid(test, shop);
    const page = await chromium.openPage(test, { as: await signInAtDesk(test, 'staff') });
    await page.goto('/desk/orders?status=all&client=Anaya');
    await page.getByRole('link', { name: number }).click();
    await page.getByRole('link', { name: 'Ship', exact: true }).click();
    await page.locator('a.back').click();
    await page.locator('a.back').click();
    await page.getByRole('heading', { level: 1, name: /^All orders/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=all&client=Anaya');
    await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { level: 1, name: /^Orders to ship/ }).waitFor();
  });

  it('options that are not checked yet disable "Apply", and the page says why', async () => {
    await test.fixtures.product({ sku: 'MUG', basePrice: '200.00' });
    await test.fixtures.plan({ code: 'GOLD', name: 'Gold', discount: '10' });
    const page = await chromium.openPage(test, { as: await signInAtDesk(test, 'staff') });
    await page.goto('/desk/imports');
    await page.getByLabel('The file has').selectOption('prices');
    const content = 'plan,sku,wholesale_price,Old\nGOLD,MUG,150,\n';
    const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Upload and check' }).click();
    const apply = page.getByRole('button', { name: /^Apply/ });
    await apply.waitFor();
    await page.getByLabel('From', { exact: true }).fill('2090-12-15');
    expect(await apply.isDisabled()).toBe(true);
    await page.getByText('These options are not checked yet').waitFor();
    await page.getByLabel('From', { exact: true }).fill('');
    expect(await apply.isEnabled()).toBe(true);
    await page.getByText('Other headings of the file (1)').click();
    await page.getByLabel('Old', { exact: true }).selectOption({ index: 1 });
    expect(await apply.isDisabled()).toBe(true);
    await page.getByLabel('Old', { exact: true }).selectOption('Not imported');
    expect(await apply.isEnabled()).toBe(true);
    await page.getByLabel('From', { exact: true }).fill('2090-12-15');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Apply 1 price from 15 Dec 2090' }).click();
    await page.getByRole('heading', { name: '1 price from 15 Dec 2090 written' }).waitFor();
    expect((await test.pool.query('SELECT FROM plan_prices')).rowCount).toBe(0);
  });

  describe('a packer with a phone', () => {
    let page: Page;
    let list: string;
    const orders: string[] = [];

    beforeAll(async () => {
      for (let at = 0; at < 3; at++) orders.push(await placePaid(test, shop));
    });
    beforeEach(async () => {
      page = await chromium.openPage(test, { as: await signInAtDesk(test, 'packer'), width: 'phone' });
    });

    const scan = async (code: string) => {
      await page.getByRole('main').getByRole('searchbox').fill(code);
      await page.keyboard.press('Enter');
    };
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

    it('takes the goods from their shelves, and the phone remembers which', async () => {
      await page.goto('/desk/packing');
      await page.getByRole('button', { name: 'Make the list' }).click();
      await heading(/^Packing list/);
      list = new URL(page.url()).pathname;
      await page.getByRole('link', { name: 'Goods by shelf' }).click();
      await heading(/^Goods of list \d+: \d+ units$/);
      await page.getByRole('checkbox', { name: 'Taken: KURTA-01' }).check();
      await page.goto(list);
      await page.goto(`${list}/goods`);
      expect(await page.getByRole('checkbox', { name: 'Taken: KURTA-01' }).isChecked()).toBe(true);
      expect(await page.getByRole('checkbox', { name: 'Taken: BRASS-07' }).isChecked()).toBe(false);
    });

    it('ships an order by four taps at most', async () => {
      const ship = async (number: string, courier: string | undefined, open: () => Promise<void>) => {
        let taps = 0;
        const tap = async (role: 'button' | 'link', name: string) => {
          taps++;
          await page.getByRole(role, { name }).click();
        };
        await page.goto(list);
        await open();
        await heading(`Pack ${number}: 0 of 4 units are in`);
        if (courier) await page.getByLabel('Courier').fill(courier);
        await page.getByLabel('Tracking number').fill(`T-${number}`);
        await tap('button', 'See what changes');
        await tap('button', 'Ship 4 units');
        await page.getByText(`${number}: 4 units shipped.`).waitFor();
        return taps;
      };
      const [first, second] = orders as [string, string];
      expect(
        await ship(first, 'DTDC', () => page.getByRole('link', { name: first, exact: true }).click()),
      ).toBe(2);
      expect(await ship(second, undefined, () => scan(second))).toBe(2);
    });

    it('gets an error for a wrong product, and reads codes by the camera', async () => {
      await page.addInitScript(() => {
        const codes = ['KURTA-01', 'KURTA-01', 'KURTA-01', 'BRASS-07'];
        class BarcodeDetector {
          detect() {
            const at = Number(sessionStorage.getItem('shown') ?? 0);
            sessionStorage.setItem('shown', String(at + 1));
            return Promise.resolve(codes.slice(at, at + 1).map((rawValue) => ({ rawValue })));
          }
        }
        const getUserMedia = () => {
          const picture = document.createElement('canvas');
          const draw = () => picture.getContext('2d')!.fillRect(0, 0, 10, 10);
          setInterval(draw, 20);
          return Promise.resolve(picture.captureStream());
        };
        Object.assign(globalThis, { BarcodeDetector });
        Object.assign(navigator.mediaDevices, { getUserMedia });
      });
      await page.goto(`${list}/orders/${orders[2]}`);
      await scan('COFFEE');
      await page.getByText('COFFEE is not in this order.').waitFor();
      await page.getByRole('button', { name: 'Camera' }).click();
      await heading(`All 4 units of ${orders[2]} are in`);
      await page.getByRole('button', { name: 'Stop the camera' }).click();
      expect(await page.locator('video').count()).toBe(0);
    });
  });
});
