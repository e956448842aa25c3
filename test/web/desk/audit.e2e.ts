import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { ProductAdministration } from '../../../src/modules/catalog/product-administration.service.js';
import { rowsSource } from '../../../src/shared/imports/record-source.js';
import { orderDesk } from '../../support/order-desk.js';
import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { StockAdministration } from '../../../src/modules/stock/stock-administration.service.js';
import { orderBody } from '../../support/order-body.js';
import { AuditLog } from '../../../src/modules/audit/audit-log.js';
import { linkOf, readable, rows } from '../../support/page-text.js';
import { signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The audit log at the desk', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const shop = makeBeforeAll(() => test.fixtures.store({ name: 'Anaya Home' }));
  const other = makeBeforeAll(() => test.fixtures.store({ name: 'Bela Crafts' }));
  const admin = makeBeforeAll(() => signInAtDesk(test));

  beforeAll(async () => {
    const log = test.app.get(AuditLog, { strict: false });
    await log.record({
      actor: 'operator:meera',
      clientId: shop.clientId,
      action: 'client.changed',
      subject: `client ${shop.clientId}`,
      details: { name: 'Anaya Home', name_before: 'Anaya', state: null, state_before: '27', tds: '12.5' },
    });
    await log.record({
      person: admin.person,
      action: 'person.invited',
      subject: 'person 77',
      details: { email: 'new@example.com', until: '2026-11-26T18:30:00.000Z' },
    });
    await log.record({
      actor: 'operator:rohan',
      clientId: other.clientId,
      action: 'client.suspended',
      subject: `client ${other.clientId}`,
    });
  });

  const open = async (query = '') => (await admin.get(`/desk/audit${query}`).expect(200)).text;

  it('shows who did what to what, with the values before and after, newest first', async () => {
    const displayed = rows(await open());
    expect(displayed).toHaveLength(4);
    expect(displayed[0]).toMatch(/operator:rohan Client suspended Bela Crafts Bela Crafts/);
    expect(displayed[1]).toContain(`${admin.person.name} 127.0.0.1 Person invited Person 77 –`);
    expect(displayed[1]).toContain('Email: new@example.com Until: 27 Nov 2026, 00:00');
    expect(displayed[2]).toContain('TDS: ₹12.50 Name: Anaya → Anaya Home State: Maharashtra (27) → none');
    expect(displayed[3]).toContain('NEIGHBOUR-1');
  });

  it('has the actions with goods, prices, files and parcels, with links and amounts', async () => {
    await test.fixtures.product({ sku: 'A MUG', name: 'Mug', basePrice: '822.00', stock: 9 });
    const { app } = test;
    const order = await test.place(shop, orderBody([{ sku: 'A MUG', quantity: 1 }]));
    const desk = orderDesk(app);
    await desk.pay(order, 'packer:asha', {});
    await desk.ship(order, 'packer:asha', {
      courier: 'DTDC',
      trackingNumber: 'D1',
      trackingUrl: null,
      shippedAt: null,
    });
    await desk.correct(order, 'packer:asha', { trackingNumber: 'D2' });
    await desk.correct(order, 'packer:asha', { trackingNumber: 'D2' });
    await desk.deliver(order, 'packer:asha');
    const counted = { sku: 'A MUG', quantity: 5, actor: 'packer:asha' };
    await app.get(StockAdministration, { strict: false }).count(counted);
    const options = { actor: 'packer:asha', force: true };
    const products = app.get(ProductAdministration, { strict: false });
    await products.set('A MUG', { base_price: '580' }, options);
    await products.set('A MUG', { base_price: '580' }, options);
    await app.get(CatalogFiles).import(rowsSource(['sku', 'name'], ['A MUG', 'Cup']), options);
    await app
      .get(CatalogFiles)
      .import(rowsSource(['sku', 'name'], ['A MUG', 'Jar']), { ...options, dryRun: true });
    const html = await open('?actor=asha');
    expect(rows(html).map((row) => row.replace(/^.*packer:asha /, ''))).toEqual([
      'File imported catalog – Created: 0 Refused: 0 Updated: 1',
      'Product changed Product A MUG – Base price: ₹822.00 → ₹580.00',
      'Stock changed Product A MUG – Reason: count On hand: 8 → 5',
      `Order delivered Order ${order} Anaya Home`,
      `Order corrected Order ${order} Anaya Home Parcel: 1 Changed: tracking_number`,
      expect.stringMatching(new RegExp(`^Order shipped Order ${order} Anaya Home .*Courier: DTDC`)),
      `Order paid Order ${order} Anaya Home Method: none Reference: none`,
    ]);
    expect(linkOf(html, `Order ${order}`)).toBe(`/desk/orders/${order}`);
    expect(linkOf(html, 'Product A MUG')).toBe('/desk/goods/products/A%20MUG');
    expect(linkOf(html, 'Anaya Home')).toBe(`/desk/clients/${shop.clientId}`);
    const dates = { from: new Date('2090-01-01Z') };
    const prices = app.get(PriceFiles, { strict: false });
    await prices.scheduleOne('A MUG', { base_price: '600' }, dates, { ...options, actor: 'packer:later' });
    const later = await open('?actor=later');
    expect(linkOf(later, 'Scheduled change \\d+')).toMatch(/^\/desk\/goods\/prices\/upcoming\/\d+$/);
  });

  it('leads from a filed month or quarter to the month’s end, and not to a return of goods', async () => {
    const log = test.app.get(AuditLog, { strict: false });
    for (const period of ['2026-10', '2026-Q4'])
      await log.record({
        actor: 'operator:filer',
        clientId: null,
        action: 'return.filed',
        subject: `return ${period}`,
      });
    const html = await open('?actor=filer');
    expect(linkOf(html, 'GSTR-1 of 2026-10')).toBe('/desk/money/month?month=2026-10');
    expect(linkOf(html, 'GSTR-1 of 2026-Q4')).toBe('/desk/money/month?month=2026-12');
  });

  it.each([
    ['who', 'actor=MEERA', ['operator:meera']],
    ['the beginning of an action', 'action=client.', ['operator:rohan', 'operator:meera']],
    ['a whole action', 'action=client.suspended', ['operator:rohan']],
    ['an action as the page names it', 'action=Client+susp', ['operator:rohan']],
    ['the name of a person', 'actor=TEST+admin&subject=person+77', ['Test admin']],
    ['a part of the subject', 'subject=person+77', ['Test admin']],
    ['a client by name', 'client=Bela', ['operator:rohan']],
    ['nothing', 'actor=nobody', []],
  ])('is searched by %s', async (_, query, found) => {
    const displayed = rows(await open(`?${query}`));
    expect(displayed).toHaveLength(found.length);
    for (const [at, who] of found.entries()) expect(displayed[at]).toContain(who);
  });

  it('of one person is a link on its page', async () => {
    const { text } = await admin.get(`/desk/people/${admin.person.id}`).expect(200);
    const own = rows((await admin.get(linkOf(text, 'What they did')).expect(200)).text);
    expect(own.length).toBeGreaterThan(0);
    for (const row of own) expect(row).toContain(admin.person.name);
  });

  it('says so if there is no such client, or the days are reversed', async () => {
    for (const client of ['nobody', '999999']) {
      const unknown = await admin.get(`/desk/audit?client=${client}`).expect(422);
      expect(readable(unknown.text)).toContain('There is no client');
    }
    const reversed = await admin.get('/desk/audit?from=2026-11-02&to=2026-11-01').expect(422);
    expect(readable(reversed.text)).toContain('The first day is later than the last one.');
    await admin.get('/desk/audit?before=x&from=never&actor=%00').expect(200);
  });

  it('shows the last 30 days, and others when asked', async () => {
    const log = test.app.get(AuditLog, { strict: false });
    await log.record({ actor: 'operator:old', clientId: null, action: 'audit.tried', subject: 'a test' });
    expect(await open()).toContain('operator:old');
    expect(await open('?from=2020-01-01&to=2020-01-31')).toContain('No entry matches.');
  });
});
