import { readFile } from 'node:fs/promises';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { PeopleAdministrationService } from '../../src/modules/people/people-administration.service.js';
import { addDays, dayAt } from '../../src/platform/time/time.js';
import { orderBody } from '../support/order-body.js';
import { setUpTestApp } from '../support/test-app.js';
import { Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';

const PASSWORD = 'a long first password';

describe.each([
  { width: 'desk', scripts: true },
  { width: 'phone', scripts: false },
] as const)('The first day of an installation, on a $width, scripts $scripts,', ({ width, scripts }) => {
  const chromium = new Chromium();
  const test = setUpTestApp();
  /** Waits for the next page, which must fit and please axe. */
  const leads = async (page: Page, does: Promise<unknown>) => {
    await Promise.all([page.waitForEvent('load', { timeout: 8_000 }), does]).catch(async (error: unknown) => {
      throw new Error(`${page.url()}: ${await page.locator('main').innerText()}`, { cause: error });
    });
    expect([await page.title(), await overflow(page)]).toEqual([expect.any(String), 0]);
    if (scripts) expect(await axeFindings(page)).toEqual([]);
  };
  const follow = (page: Page, name: string | RegExp) =>
    leads(page, page.getByRole('main').getByRole('link', { name, exact: true }).first().click());
  const press = (page: Page, name: string | RegExp) =>
    leads(page, page.getByRole('button', { name, exact: true }).click());
  const open = (page: Page, address: string) => leads(page, page.goto(address));
  const fill = async (page: Page, values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values))
      await page.getByLabel(label, { exact: true }).fill(value);
  };
  const download = async (page: Page, name: string) => {
    const link = page.getByRole('link', { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return readFile(await file.path(), 'latin1');
  };
  const says = (page: Page, text: string) => page.getByText(text).first().waitFor();

  async function join(page: Page, link: string, name: string, email?: string): Promise<void> {
    const { pathname, hash } = new URL(link, test.url);
    await page.goto(pathname + hash);
    if (!scripts) {
      await fill(page, { Code: hash });
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    await page.getByLabel('Your name').fill(name);
    if (email) await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the new password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
  }

  it('goes from a printed link to the end of its first month without a command', async () => {
    const admin = await chromium.openPage(test, { width, scripts });
    const link = await test.app.get(PeopleAdministrationService, { strict: false }).firstAdminPath();
    await join(admin, link, 'Meera Sharma', 'meera@house.example');
    await says(admin, 'First set up a second step');
    await fill(admin, { 'Your password': PASSWORD });
    await press(admin, 'Start');
    const key = await admin.getByLabel('Or enter this key in the app').inputValue();
    await fill(admin, { Code: new TOTP({ secret: key.replaceAll(' ', '') }).generate() });
    await press(admin, 'Turn the second step on');

    await open(admin, '/desk');
    await follow(admin, 'Set the seller');
    const seller = {
      'Legal name': 'Sharma Wholesale',
      GSTIN: '27AAPFU0939F1ZV',
      Address: '1 MG Road, Pune 411001',
    };
    await fill(admin, { ...seller, GSTIN: '27AAPFU0939F1ZW' });
    await press(admin, 'See what changes');
    expect(await admin.getByLabel('GSTIN', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await fill(admin, seller);
    await press(admin, 'See what changes');
    await press(admin, 'Change the seller');
    await open(admin, '/desk');
    await follow(admin, 'Set it');
    await fill(admin, {
      'Bank account for transfers': 'Account: Sharma Wholesale\nIFSC: HDFC0001234',
      'How clients reach you': 'Phone: +91 98200 00000',
    });
    await press(admin, 'See what changes');
    await press(admin, 'Change it');
    await open(admin, '/desk');
    await follow(admin, 'New plan');
    await fill(admin, { Code: 'growth', 'Discount in percent': '10' });
    await press(admin, 'See what changes');
    await press(admin, 'Add the plan');
    await open(admin, '/desk');
    await follow(admin, 'Add products');
    await follow(admin, 'New product');
    await fill(admin, { SKU: 'MUG', Name: 'Stoneware mug', 'Base price': '250', 'Delivery charge': '40' });
    await fill(admin, { 'HSN code': '6912', 'GST rate in percent': '12', 'Unit of GST': 'NOS' });
    await press(admin, 'See what changes');
    await press(admin, 'Add the product');
    await says(admin, 'Count its stock here.');
    await admin.getByLabel('I counted them').check();
    await fill(admin, { Number: '20' });
    await press(admin, 'See what changes');
    await press(admin, 'Set to 20 on hand');
    await open(admin, '/desk');
    await follow(admin, 'Invite a person');
    await open(admin, '/desk/people/invite');
    await fill(admin, { 'E-mail address': 'packer@house.example' });
    await press(admin, 'Invite');
    await open(admin, '/desk');
    await follow(admin, 'New client');
    await fill(admin, {
      'Name of the store': 'Anaya Home',
      'E-mail address of its owner': 'anaya@home.example',
      Domain: 'anaya.example.com',
      Until: addDays(dayAt(Date.now(), 'Asia/Kolkata'), 30),
      'Billing address': '4, Residency Road, Bengaluru 560025',
    });
    await admin.getByLabel('State').selectOption('29');
    await press(admin, 'Add the client');
    const token = await admin.getByLabel('Token').inputValue();
    const ownersLink = await admin.getByLabel(/^Link for the owner/).inputValue();

    await test.fixtures.observed();
    const order = await fetch(`${test.url}/api/orders`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Client-Domain': 'anaya.example.com',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(orderBody([{ sku: 'MUG', quantity: 2 }])),
    });
    expect(order.status).toBe(201);
    const { order_number: number } = (await order.json()) as { order_number: string };

    const owner = await chromium.openPage(test, { width, scripts });
    await join(owner, ownersLink, 'Anaya');
    await open(owner, '/dashboard/wallet/top-up');
    await fill(owner, { 'Amount sent (₹)': '1000', UTR: 'HDFCN26112200418' });
    await press(owner, 'Report the transfer');
    await open(admin, '/desk/money');
    await follow(admin, 'Anaya Home');
    await fill(admin, { 'Payer on your bank statement': 'ANAYA' });
    await press(admin, 'Confirm the bank transfer');
    await open(owner, '/dashboard');
    await press(owner, /^Pay it from wallet/);

    await open(admin, `/desk/orders/${number}`);
    await follow(admin, 'Ship');
    await fill(admin, { Courier: 'DTDC', 'Tracking number': 'D-77' });
    await press(admin, 'See what changes');
    await press(admin, 'Ship 2 units');
    await open(owner, '/dashboard/invoices');
    await says(owner, 'INV-');

    await follow(admin, 'Delivered');
    await press(admin, 'Record the delivery');
    await open(owner, `/dashboard/orders/${number}`);
    await follow(owner, 'Return items');
    await fill(owner, { 'Stoneware mug': '1' });
    await owner.getByLabel('Reason').selectOption('Arrived damaged');
    await press(owner, 'Ask for the return');
    await open(admin, '/desk/returns');
    await follow(admin, /^RT-/);
    await follow(admin, 'Receive');
    await press(admin, 'See what changes');
    await press(admin, 'Receive the return');
    await open(owner, '/dashboard/invoices');
    await says(owner, 'CN-');

    const month = dayAt(Date.now(), 'Asia/Kolkata').slice(0, 7);
    await open(admin, `/desk/money/month?month=${month}`);
    const statement = await download(admin, 'Statement of Anaya Home as CSV');
    expect(statement).toMatch(/bank transfer[^]*order[^]*refund/i);
    expect((await download(admin, 'GSTR-1 (ZIP)')).slice(0, 2)).toBe('PK');
  });
});
