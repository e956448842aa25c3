import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { Store } from '../../support/fixtures.js';
import { moveOrder } from '../../support/order-steps.js';
import { readable } from '../../support/page-text.js';
import { signIn, type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Notes of the desk', () => {
  const test = setUpTestApp();
  let packer: SignedIn<DeskPerson>;
  let staff: SignedIn<DeskPerson>;
  let store: Store;
  let order: string;
  let unpaid: string;

  beforeAll(async () => {
    await test.fixtures.products([{ sku: 'MUG', name: 'Mug', basePrice: '100.00', stock: 1000 }]);
    [packer, staff] = [await signInAtDesk(test, 'packer'), await signInAtDesk(test, 'staff')];
    store = await test.fixtures.store({ name: 'Mango Market' });
    order = await test.place(store, [{ sku: 'MUG', quantity: 2 }]);
    await moveOrder(test, store, order, 'pay');
    unpaid = await test.place(store, [{ sku: 'MUG', quantity: 1 }]);
  });

  const add = (who: SignedIn<DeskPerson>, of: string, text: string) =>
    who.post(`/desk/notes/${of}`, { text });
  const observed = async (path: string, who = staff) => readable((await who.get(path).expect(200)).text);

  it('are seen with their author by everybody at the desk, the newest first', async () => {
    const { headers } = await add(packer, `order/${order.toLowerCase()}`, ' Fragile\r\nwrap it <twice> ');
    expect(headers.location).toBe(`/desk/orders/${order}`);
    await add(staff, `order/${order}`, 'Called the customer').expect(303);
    const text = await observed(`/desk/orders/${order}`, packer);
    expect(text).toMatch(/Notes Called the customer .* by .* Fragile wrap it <twice> .* by /);
    expect(text).toContain(packer.person.email);
    expect(await observed(`/desk/orders/${unpaid}`)).not.toContain('Fragile');
  });

  it('are seen by no store and no client', async () => {
    await add(staff, `order/${order}`, 'Kept among us').expect(303);
    const owner = await signIn(test, store.clientId);
    for (const path of [`/dashboard/orders/${order}`, '/dashboard/orders'])
      expect((await owner.get(path).expect(200)).text).not.toContain('Kept among us');
    const { text } = await test.get(store, `/api/orders/${order}/status`).expect(200);
    expect(text).not.toContain('Kept among us');
  });

  it('stand on returns and clients too', async () => {
    const desk = test.app.get(OrderDeskService, { strict: false });
    const parcel = { courier: 'x', trackingNumber: null, trackingUrl: null, shippedAt: null };
    await desk.ship(order, 'test', parcel);
    const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item', note: '' };
    const { number } = await test.app
      .get(OrderReturnsService, { strict: false })
      .add(order, requested, 'test');
    await add(packer, `return/${number}`, 'Box is open').expect(303);
    expect(await observed(`/desk/returns/${number}`)).toContain('Box is open');
    await add(staff, `client/${store.clientId}`, 'Pays late').expect(303);
    expect(await observed(`/desk/clients/${store.clientId}`)).toContain('Pays late');
    const other = await test.fixtures.store({ name: 'Other' });
    expect(await observed(`/desk/clients/${other.clientId}`)).not.toContain('Pays late');
  });

  it('are removed by their author only', async () => {
    await add(packer, `order/${unpaid}`, 'x').expect(403);
    await add(staff, `order/${unpaid}`, 'Wait').expect(303);
    const { text } = await staff.get(`/desk/orders/${unpaid}`).expect(200);
    const [path] = /\/desk\/notes\/order\/[^"]+\/remove/.exec(text)!;
    const another = await signInAtDesk(test, 'staff');
    expect((await another.get(`/desk/orders/${unpaid}`)).text).not.toContain(path);
    await another.post(path).expect(303);
    expect(await observed(`/desk/orders/${unpaid}`)).toContain('Wait');
    await staff.post(path).expect(303);
    expect(await observed(`/desk/orders/${unpaid}`)).not.toContain('Wait');
    await staff.post(path).expect(303);
  });

  it.each([
    ['no text', ' \n '],
    ['too much text', 'x'.repeat(1001)],
  ])('are refused with %s', async (_, text) => {
    await add(staff, `order/${order}`, text).expect(303);
    expect(await observed(`/desk/orders/${order}`)).not.toContain('x'.repeat(1001));
    expect((await test.pool.query("SELECT FROM notes WHERE text = ''")).rowCount).toBe(0);
  });

  it('are refused about what is not there, or not for a packer', async () => {
    await add(packer, `client/${store.clientId}`, 'x').expect(403);
    for (const of of [
      'order/WO-20260101-AAAAA-AAAAA',
      'return/RET-1',
      'client/999999',
      'client/x',
      'plan/GOLD',
    ])
      await add(staff, of, 'x').expect(404);
    await staff.post(`/desk/notes/order/${order}/x/remove`).expect(303);
  });
});
