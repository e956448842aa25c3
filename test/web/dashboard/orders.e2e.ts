import type { Store } from '../../support/fixtures.js';
import { manyOrders } from '../../support/many-orders.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const NUMBER = /WO-\d{8}-\w{5}-\w{5}/;

describe('The list of orders', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ basePrice: '1234.50', stock: 100_000 })));
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
  });

  interface Customer {
    name?: string;
    phone?: string;
    email?: string;
    city?: string;
    id?: string;
  }

  async function place({ name = 'Ravi Kumar', phone = '+91 98450 12345', email, city, id }: Customer = {}) {
    const body = orderBody([{ sku, quantity: 1 }], {
      customer: { name, phone, email },
      ...(city && { shipping: { address: 'a', city, state: 'a', pincode: '560038' } }),
      ...(id && { store_order_id: id }),
    });
    return test.place(store, body);
  }

  const page = async (query = '', person = owner) =>
    (await person.get(`/dashboard/orders${query}`).expect(200)).text;
  const listed = (html: string) => rows(html).map((row) => NUMBER.exec(row)![0]);
  /** The orders of this page and of all that follow. */
  async function allFrom(html: string): Promise<string[]> {
    if (!html.includes('Next page')) return listed(html);
    const { text } = await owner.get(linkOf(html, 'Next page')).expect(200);
    return [...listed(html), ...(await allFrom(text))];
  }
  const search = async (text: string) => listed(await page(`?search=${encodeURIComponent(text)}`));

  it('says what is the matter, and shows the newest first with state, customer and amount', async () => {
    const first = await place({ name: 'Meera Nair', city: 'Kochi', id: 'WEB-1' });
    const second = await place();
    await moveOrder(test, store, first, 'pay', 'ship');
    const html = await page();
    expect(headline(html)).toBe('All orders · 2');
    expect(rows(html)).toEqual([
      expect.stringMatching(
        new RegExp(`^${second} .*Ravi Kumar, .* due in 7[12] hours Awaiting payment ₹1,234.50$`),
      ),
      expect.stringMatching(
        new RegExp(
          `^${first} WEB-1 Meera Nair, Kochi just now shipped just now by Delhivery Shipped ₹1,234.50$`,
        ),
      ),
    ]);
  });

  it('groups amounts as India does', async () => {
    const { sku: dear } = await test.fixtures.product({ basePrice: '123456.78' });
    await test.post(store, '/api/orders', orderBody([{ sku: dear, quantity: 10 }])).expect(201);
    expect(await page()).toContain('₹12,34,567.80');
  });

  it('tells what to do next where there are none', async () => {
    const html = await page();
    expect(headline(html)).toBe('All orders · 0');
    expect(readable(html)).toContain('Your store has not placed any orders yet.');
    expect(readable(await page('?search=nobody'))).toContain('No order matches.');
  });

  it('shows one group of them', async () => {
    const numbers = [await place(), await place(), await place(), await place(), await place()];
    await moveOrder(test, store, numbers[1]!, 'pay');
    await moveOrder(test, store, numbers[2]!, 'pay', 'ship');
    await moveOrder(test, store, numbers[3]!, 'pay', 'ship', 'deliver');
    await moveOrder(test, store, numbers[4]!, 'cancel');
    const groups = ['to_pay', 'paid', 'shipped', 'delivered', 'cancelled'];
    for (const [at, group] of groups.entries())
      expect(listed(await page(`?group=${group}`))).toEqual([numbers[at]]);
    expect(listed(await page('?group=processing'))).toEqual([]);
    expect(headline(await page('?group=processing'))).toBe('Being processed · 0');
    expect(readable(await page('?group=processing'))).toContain('No orders are in this state now.');
    expect(listed(await page('?group=nonsense'))).toHaveLength(5);
  });

  it('searches in the group that is shown', async () => {
    const numbers = [await place({ name: 'Kavya' }), await place({ name: 'Kavya' }), await place()];
    await moveOrder(test, store, numbers[1]!, 'pay');
    await moveOrder(test, store, numbers[2]!, 'pay');
    const searchForm = (html: string) => hiddenFields(/<form [^>]*role="search".*?<\/form>/s.exec(html)![0]);
    expect(searchForm(await page())).toEqual({});
    expect(searchForm(await page('?group=paid'))).toEqual({ group: ['paid'] });
    expect(listed(await page('?group=paid&search=Kavya'))).toEqual([numbers[1]]);
  });

  it('shows those of some days, the last one included', async () => {
    const [old, recent] = [await place(), await place()];
    await test.fixtures.placedAt(old, '2026-03-05T12:00:00');
    await test.fixtures.placedAt(recent, '2026-03-06T12:00:00');
    expect(listed(await page('?from=2026-03-05&to=2026-03-05'))).toEqual([old]);
    expect(listed(await page('?from=2026-03-06'))).toEqual([recent]);
    expect(listed(await page('?to=2026-03-04'))).toEqual([]);
    expect(listed(await page('?from=2026-02-30&to=yesterday'))).toHaveLength(2);
  });

  it('has a title and a count for each group, and none that a search would make wrong', async () => {
    const numbers = [await place(), await place({ name: 'Kavya' }), await place()];
    await moveOrder(test, store, numbers[0]!, 'cancel');
    await moveOrder(test, store, numbers[1]!, 'cancel');
    const html = await page('?group=cancelled');
    expect(headline(html)).toBe('Cancelled · 2');
    expect(html).toContain('<title>Cancelled · 2 · Dashboard</title>');
    const tabs = (text: string) => readable(/<nav class="tabs".*?<\/nav>/s.exec(text)![0]).trim();
    expect(tabs(html)).toBe(
      'All 3 Awaiting payment 1 Being processed 0 Paid 0 Shipped 0 Came back or lost 0 Delivered 0 Cancelled 2',
    );
    const searched = await page('?group=cancelled&search=Kavya');
    expect(headline(searched)).toBe('Cancelled with “Kavya” · 1');
    expect(tabs(searched)).toBe(
      'All Awaiting payment Being processed Paid Shipped Came back or lost Delivered Cancelled',
    );
  });

  it('counts no further than to a thousand', async () => {
    await manyOrders(test.pool, store, 1_400);
    expect(headline(await page('?group=delivered'))).toBe('Delivered · 1,000+');
    expect(headline(await page('?group=cancelled'))).toBe('Cancelled · 70');
  });

  describe('sorted', () => {
    const SORTS = ['newest', 'oldest', 'highest', 'lowest'];

    /** 120 orders with ten different totals. */
    beforeEach(async () => {
      await test.fixtures.orders(store, 120);
      await test.fixtures.rewrite(
        `UPDATE orders SET subtotal = 100 + right(order_number, 1)::int, total = 100 + right(order_number, 1)::int,
                placed_at = placed_at - right(order_number, 3)::int * interval '1 hour'
          WHERE client_id = $1`,
        [store.clientId],
      );
    });

    it.each([
      ['newest', '001', '120'],
      ['oldest', '120', '001'],
      ['highest', '119', '010'],
      ['lowest', '010', '119'],
    ])('by %s, goes from %s to %s, each once', async (sort, first, last) => {
      const every = await allFrom(await page(`?sort=${sort}`));
      expect(every).toHaveLength(120);
      expect(new Set(every).size).toBe(120);
      expect([every[0]!.slice(-3), every.at(-1)!.slice(-3)]).toEqual([first, last]);
    });

    it('by the headings of the columns, which tell how', async () => {
      const sorted = (html: string) =>
        [...html.matchAll(/<th [^>]*aria-sort="(\w+)"[^>]*><a [^>]*>(\w+)/g)].map(([, way, name]) => [
          name,
          way,
        ]);
      let html = await page('?group=to_pay');
      expect(sorted(html)).toEqual([['Placed', 'descending']]);
      html = (await owner.get(linkOf(html, 'Total'))).text;
      expect(sorted(html)).toEqual([['Total', 'descending']]);
      html = (await owner.get(linkOf(html, 'Total'))).text;
      expect(sorted(html)).toEqual([['Total', 'ascending']]);
      expect(headline(html)).toBe('Awaiting payment · 120');
      html = (await owner.get(linkOf(html, 'Placed'))).text;
      expect(sorted(html)).toEqual([['Placed', 'descending']]);
    });

    it('keeps its sort in another group, and a search is sorted by date', async () => {
      const html = await page('?sort=highest');
      expect(linkOf(html, 'Cancelled')).toBe('/dashboard/orders?group=cancelled&sort=highest');
      const searched = await page('?sort=highest&search=00119');
      expect(listed(searched)).toHaveLength(1);
      expect(searched).not.toMatch(/sort=highest/);
    });

    it('begins at the top for a place in a list with another sort', async () => {
      for (const sort of SORTS) {
        const older = /href="([^"]*)" rel="next"/.exec(await page(`?sort=${sort}`))![1]!;
        for (const other of SORTS) {
          const { searchParams } = new URL(older.replaceAll('&amp;', '&'), 'http://x');
          searchParams.set('sort', other);
          await owner.get(`/dashboard/orders?${searchParams.toString()}`).expect(200);
        }
      }
      await page('?sort=nonsense');
    });
  });

  it('offers today, this week and this month', async () => {
    const number = await place();
    const html = await page('?group=to_pay');
    for (const preset of ['Today', 'This week', 'This month']) {
      const { text } = await owner.get(linkOf(html, preset)).expect(200);
      expect(listed(text)).toEqual([number]);
      expect(text).toMatch(new RegExp(`<a [^>]*aria-current="true"[^>]*>${preset}`));
      expect(headline(text)).toBe('Awaiting payment · 1');
    }
  });

  it('says that the first day is later than the last one', async () => {
    await place();
    const { text } = await owner.get('/dashboard/orders?from=2026-11-20&to=2026-11-19').expect(422);
    expect(readable(text)).toContain('The first day is later than the last one.');
    expect(text).toMatch(/name="from" value="2026-11-20" aria-invalid="true" autofocus/);
    await owner.get('/dashboard/orders?from=2026-11-20&to=2026-11-20').expect(200);
  });

  it.each([
    ['our number, in any spelling', (number: string) => number.replaceAll('-', ' ').toLowerCase()],
    ['the end of our number', (number: string) => number.slice(-5)],
    ['its own id', () => 'SHOP/77-a'],
    ['a part of its own id', () => '/77-A'],
    ['a name', () => 'lakshmi'],
    ['names in another order', () => 'IYER lakshmi'],
    ['a phone number, spaced otherwise', () => '098840-33221'],
    ['an address of mail', () => 'lakshmi.iyer@example.com'],
    ['a part of it', () => '.iyer@'],
  ])('is searched by %s', async (_, textFor) => {
    const number = await place({
      name: 'Lakshmi Iyer',
      phone: '+91 98840 33221',
      email: 'lakshmi.iyer@example.com',
      id: 'SHOP/77-a',
    });
    await place({ id: 'SHOP/78-b' });
    expect(await search(textFor(number))).toEqual([number]);
  });

  it('finds an id of one letter, and takes nothing short for a part of anything', async () => {
    const number = await place({ id: '7' });
    await place({ id: '77' });
    expect(await search('7')).toEqual([number]);
    expect(await search('a')).toEqual([]);
  });

  it.each(['100%_', '50\\off', "O'Neil; --", '%%%', '___', '\\\\\\'])(
    'takes %s for what it is',
    async (name) => {
      const number = await place({ name: `x${name}y` });
      await place({ name: 'x100 percent, 50 off, O Neil' });
      expect(await search(name)).toEqual([number]);
    },
  );

  it('finds nothing by what no text may hold, and shows all of it for what is blank', async () => {
    const number = await place();
    expect(listed(await page('?search=%00'))).toEqual([number]);
    expect(listed(await page('?search=+'))).toEqual([number]);
    await owner.get('/dashboard/orders?search=%ff').expect(200);
    await owner.get('/dashboard/orders?search=a&search=b&group=paid&group=paid').expect(200);
  });

  it.each([
    [49, [49]],
    [50, [50]],
    [51, [50, 1]],
    [100, [50, 50]],
  ])('leads to another page only if there is one: of %i orders', async (count, pages) => {
    await test.fixtures.orders(store, count);
    let html = await page();
    for (const [at, length] of pages.entries()) {
      expect(listed(html)).toHaveLength(length);
      const links = [html.includes('First page'), html.includes('Next page')];
      expect(links).toEqual([at > 0, at < pages.length - 1]);
      if (links[1]) html = (await owner.get(linkOf(html, 'Next page')).expect(200)).text;
    }
  });

  it('begins at the top for a place that is none, and for another client’s', async () => {
    await manyOrders(test.pool, store, 60);
    const top = listed(await page());
    const other = await test.fixtures.store();
    await manyOrders(test.pool, other, 120);
    const others = linkOf(
      (await (await signIn(test, other.clientId)).get('/dashboard/orders')).text,
      'Next page',
    );
    for (const query of ['?after=nonsense', '?after=%00', new URL(others, 'http://x').search])
      expect(listed(await page(query))).toEqual(top);
  });

  it('leads back from a page that its orders left, and from a search, to the same group', async () => {
    await test.fixtures.orders(store, 51);
    const second = linkOf(await page('?group=to_pay'), 'Next page');
    const [last] = listed((await owner.get(second)).text);
    await moveOrder(test, store, last!, 'pay');
    const left = (await owner.get(second)).text;
    expect(readable(left)).toContain('Nothing is on this page any more.');
    expect(linkOf(left, 'First page')).toBe('/dashboard/orders?group=to_pay');
    const none = await page('?group=to_pay&search=nobody');
    expect(linkOf(none, 'Clear the search and the dates')).toBe('/dashboard/orders?group=to_pay');
  });

  it('shows no other client’s, however they are searched', async () => {
    const other = await test.fixtures.store();
    await test.fixtures.orders(other, 3);
    expect(rows(await page())).toEqual([]);
    expect(await search('WO-20260101-00000-00001')).toEqual([]);
    expect(await search('00000-00001')).toEqual([]);
  });
});
