import path from 'node:path';
import type { Page } from 'playwright-core';
import { actorOf } from '../../src/audit/actor-of.js';
import type { DeskPerson } from '../../src/auth/people/signed-in-person.js';
import { OrderDeskService } from '../../src/orders/desk/order-desk.service.js';
import { PackingService } from '../../src/orders/packing/packing.service.js';
import { OrderReturnsService } from '../../src/orders/returns/order-returns.service.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { type SignedIn, signInAtDesk } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { LOOKS } from './support/looks.js';
import { openShop, type Shop } from './support/shop.js';

const { PICTURES } = process.env;

describe('The pages of those who pack and ship', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let shop: Shop;
  let staff: SignedIn<DeskPerson>;
  let packer: SignedIn<DeskPerson>;
  let toShip: string;
  let waitingReturn: string;
  let list: number;

  const paid = async () => {
    const items = [
      { sku: 'KURTA-01', quantity: 3 },
      { sku: 'BRASS-07', quantity: 1 },
    ];
    const { body } = await test.post(shop.store, '/api/orders', orderBody(items)).expect(201);
    const number = (body as { order_number: string }).order_number;
    await moveOrder(test, shop.store, number, 'pay');
    return number;
  };

  beforeAll(async () => {
    test = await startTestApp();
    shop = await openShop(test);
    staff = await signInAtDesk(test, 'staff');
    packer = await signInAtDesk(test, 'packer');
    await paid();
    const made = await test.app
      .get(PackingService, { strict: false })
      .make(actorOf(packer.person), { limit: 5 });
    list = made!.id;
    toShip = await paid();
    const shipped = await paid();
    const desk = test.app.get(OrderDeskService, { strict: false });
    const parcel = { courier: 'BlueDart', trackingUrl: null, shippedAt: null, trackingNumber: 'BD-7' };
    await desk.ship(shipped, actorOf(packer.person), parcel);
    const asked = { lines: [{ line: 1, quantity: 2 }], reason: 'Wrong item', note: 'blue, not red' };
    const returns = test.app.get(OrderReturnsService, { strict: false });
    waitingReturn = (await returns.add(shipped, asked, actorOf(staff.person))).number;
  });
  afterAll(() => test.close());

  const press = (page: Page, name: string) =>
    Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()]);

  /** The address of each page, and what is done there before it is looked at. */
  const PAGES: Record<string, [address: () => string, after?: (page: Page) => Promise<unknown>]> = {
    orders: [() => '/desk/orders'],
    'orders-all': [() => '/desk/orders?status=all'],
    'orders-none': [() => '/desk/orders?search=nothing+like+it'],
    order: [() => `/desk/orders/${shop.inParts}`],
    'order-to-ship': [() => `/desk/orders/${toShip}`],
    ship: [() => `/desk/orders/${toShip}/ship`],
    'ship-effects': [
      () => `/desk/orders/${toShip}/ship`,
      async (page) => {
        await page.getByLabel('Courier').fill('BlueDart');
        await press(page, 'Continue');
      },
    ],
    'ship-wrong': [
      () => `/desk/orders/${toShip}/ship`,
      async (page) => {
        await page.getByLabel('Courier').fill('BlueDart');
        await page.getByLabel('Block-print kurta').fill('9');
        await press(page, 'Continue');
      },
    ],
    refund: [() => `/desk/orders/${toShip}/refund`],
    cancel: [() => `/desk/orders/${toShip}/cancel`],
    delivery: [() => `/desk/orders/${toShip}/delivery`],
    packing: [() => '/desk/packing'],
    'packing-list': [() => `/desk/packing/${list}`],
    'packing-drop': [() => `/desk/packing/${list}/drop`],
    'ship-many': [() => '/desk/packing/ship'],
    'ship-many-checked': [
      () => '/desk/packing/ship',
      async (page) => {
        await page.getByLabel('Courier').fill('DTDC');
        await page.getByLabel('Orders and tracking numbers').fill(`${toShip} D1\nWO-1 D2`);
        await press(page, 'Check the lines');
      },
    ],
    returns: [() => '/desk/returns'],
    return: [() => `/desk/returns/${waitingReturn}`],
    receive: [() => `/desk/returns/${waitingReturn}/receive`],
    'receive-effects': [() => `/desk/returns/${waitingReturn}/receive`, (page) => press(page, 'Continue')],
    refuse: [() => `/desk/returns/${waitingReturn}/refuse`],
  };

  describe.each(LOOKS)('on a $width, $scheme', (look) => {
    it.each(Object.entries(PAGES))('can be used by everybody: %s', async (name, [address, after]) => {
      const page = await chromium.visit(test, { ...look, as: staff });
      await page.goto(address());
      await after?.(page);
      if (PICTURES)
        await page.screenshot({
          path: path.join(PICTURES, `desk-${name}-${look.width}-${look.scheme}.png`),
          fullPage: true,
        });
      expect(await page.locator('h1').count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    });
  });

  it.each([true, false])('let a packer ship on a phone (scripts: %p)', async (scripts) => {
    const number = await paid();
    const page = await chromium.visit(test, { width: 'phone', as: packer, scripts });
    await page.goto('/desk/orders');
    await page.getByRole('searchbox').fill(number);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/desk/orders/${number}`);
    await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Ship' }).click()]);
    await page.getByLabel('Courier').fill('DTDC');
    await page.getByLabel('Tracking number').fill('D-77');
    await press(page, 'Continue');
    expect(await page.locator('main').innerText()).toContain('Nothing is done yet.');
    await press(page, 'Ship 4 units');
    expect(await page.locator('h1').innerText()).toContain('is on its way');
    expect(await page.locator('.notices').innerText()).toContain('4 units shipped.');
    expect(await page.content()).not.toContain('₹');
  });
});
