import type { AuditRow } from '../../../src/modules/audit/audit-list.repository.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { PackingService } from '../../../src/modules/fulfilment/packing/packing.service.js';
import type { OrderOutput } from '../../../src/modules/orders/records/order.mapper.js';
import { SETTINGS, type Settings } from '../../../src/platform/settings/settings.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, readable } from '../../support/page-text.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const DELIVERY = {
  name: 'Ravi Kumar',
  phone: '+91 98765 43210',
  address: '12, MG Road',
  city: 'Bengaluru',
  state: 'Karnataka',
  pincode: '560038',
  country: 'India',
  corrections: '0',
};

describe('The delivery of an order', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let owner: SignedIn;
  let buyer: SignedIn;
  let viewer: SignedIn;
  let sku: string;
  let packing: PackingService;

  beforeAll(async () => {
    packing = test.app.get(PackingService, { strict: false });
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    owner = await signIn(test, store.clientId);
    buyer = await signIn(test, store.clientId, 'buyer');
    viewer = await signIn(test, store.clientId, 'viewer');
  });

  const place = async (...steps: ('pay' | 'ship' | 'cancel')[]): Promise<string> => {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
    const { order_number: number } = body as { order_number: string };
    await moveOrder(test, store, number, ...steps);
    return number;
  };
  const orderAt = (number: string) => `/dashboard/orders/${number}`;
  const formAt = (number: string) => `${orderAt(number)}/delivery`;
  const desk = () => test.app.get(OrderDeskService, { strict: false });
  const audit = (number: string) =>
    answerOf<AuditRow[]>(test.database.serviceUrl, 'audit', 'list').then((entries) =>
      entries.filter(({ subject }) => subject === `order ${number}`),
    );

  it.each([['before it is paid', []] as const, ['after it is paid', ['pay']] as const])(
    'is changed by a buyer %s, and its history and the wholesaler see who did it',
    async (_, steps) => {
      const number = await place(...steps);
      const { text: before } = await buyer.get(orderAt(number)).expect(200);
      expect(before).toContain(`href="${formAt(number)}"`);
      const { text: form } = await buyer.get(formAt(number)).expect(200);
      expect(headline(form)).toBe(`Change the delivery of ${number}`);
      expect(form).toMatch(/value="Ravi Kumar" name="name"/);
      const changed = { ...DELIVERY, name: ' Ravi Kumaran ', city: 'Mysuru', pincode: '570001' };
      await buyer.post(formAt(number), changed).expect(303).expect('Location', orderAt(number));

      const { text: page } = await viewer.get(orderAt(number)).expect(200);
      expect(readable(page)).toContain('Ravi Kumaran 12, MG Road Mysuru 570001 Karnataka, India');
      expect(readable(page)).toContain(
        `by ${buyer.person.email}: city: Bengaluru → Mysuru, name: Ravi Kumar → Ravi Kumaran, ` +
          'pincode: 560038 → 570001',
      );
      const actor = `person ${buyer.person.id} (${buyer.person.email})`;
      const { changes } = await desk().show(number);
      expect(changes).toMatchObject([
        {
          actor,
          before: { name: 'Ravi Kumar', city: 'Bengaluru', pincode: '560038' },
          after: { name: 'Ravi Kumaran', city: 'Mysuru', pincode: '570001' },
          reason: null,
        },
      ]);
      const displayed = await runCommand(test.database.serviceUrl, 'order', 'show', number);
      expect(displayed.stdout).toContain(actor);
      const redirected = (await audit(number)).filter(({ action }) => action !== 'order.paid');
      expect(redirected).toMatchObject([
        {
          actor,
          action: 'order.redirected',
          client_id: store.clientId,
          details: { changed: 'name, city, pincode' },
          address: '127.0.0.1',
        },
      ]);
    },
  );

  it('stays without a trace if nothing is changed', async () => {
    const number = await place();
    await owner.post(formAt(number), DELIVERY).expect(303);
    expect((await desk().show(number)).changes).toEqual([]);
    expect(await audit(number)).toEqual([]);
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name', 'Must not be empty'],
    ['a long name', { name: 'x'.repeat(201) }, 'name', 'Must have at most 200 characters'],
    ['an empty phone number', { phone: '' }, 'phone', 'Must not be empty'],
    ['a phone number of five digits', { phone: '12345' }, 'phone', 'Must be ten digits in India'],
    ['a country that is not served', { country: 'Nepal' }, 'country', 'Must be one of the countries'],
    ['an address of two lines', { address: '1\n2' }, 'address', 'Must be one line'],
    ['an Indian PIN code of five digits', { pincode: '56003' }, 'pincode', 'Must be 6 digits in India'],
    ['a PIN code that does not fit the country', { pincode: 'SW1A 1AA' }, 'pincode', 'Must be 6 digits'],
  ])('is refused with %s at its field, and what was typed stays', async (_, wrong, field, fault) => {
    const number = await place();
    const typed = { ...DELIVERY, city: 'Mysuru & co', ...wrong };
    const { text } = await buyer.post(formAt(number), typed).expect(422);
    expect(text).toMatch(new RegExp(`id="field-${field}-fault">\\s*${fault}`));
    expect(text).toContain('value="Mysuru &amp; co"');
    expect((await desk().show(number)).changes).toEqual([]);
  });

  it('takes a foreign PIN code with its country', async () => {
    test.app.get<Settings>(SETTINGS).servedCountries = ['India', 'United Kingdom'];
    const number = await place();
    const abroad = { ...DELIVERY, country: 'United Kingdom', pincode: 'SW1A 1AA' };
    await buyer.post(formAt(number), abroad).expect(303);
    expect((await desk().show(number)).shipping.country).toBe('United Kingdom');
  });

  it.each([
    ['is shipped', ['pay', 'ship'], 'The address of an order that is shipped cannot be changed.'],
    ['is cancelled', ['cancel'], 'The address of an order that is cancelled cannot be changed.'],
  ] as const)('is not changed when the order %s', async (_, steps, refusal) => {
    const number = await place(...steps);
    expect((await owner.get(orderAt(number)).expect(200)).text).not.toContain(formAt(number));
    const { text } = await owner.get(formAt(number)).expect(200);
    expect(readable(text)).toContain(refusal);
    const refused = await owner.post(formAt(number), { ...DELIVERY, city: 'Pune' }).expect(409);
    expect(readable(refused.text)).toContain(refusal);
    expect((await desk().show(number)).shipping.city).toBe('Bengaluru');
  });

  it('is not changed when a part of the order has left', async () => {
    const number = await place('pay');
    await answerOf(test.database.serviceUrl, 'order', 'ship', number, '--courier', 'X', '--line', '1=1');
    expect((await owner.get(orderAt(number)).expect(200)).text).not.toContain(formAt(number));
    const refused = await owner.post(formAt(number), { ...DELIVERY, city: 'Pune' }).expect(409);
    expect(readable(refused.text)).toContain('A part of the order has left already.');
  });

  it('is changed only by the wholesaler while it is packed, who sees the list', async () => {
    const number = await place('pay');
    const { id: list } = (await packing.make('test', { clientId: store.clientId }))!;
    expect((await owner.get(orderAt(number)).expect(200)).text).not.toContain(formAt(number));
    const { text } = await owner.get(formAt(number)).expect(200);
    expect(headline(text)).toBe(`The delivery of ${number} cannot be changed here`);
    const refused = await owner.post(formAt(number), { ...DELIVERY, city: 'Pune' }).expect(409);
    expect(readable(refused.text)).toContain('The order is being packed. To change the delivery, ask');

    const run = (...args: string[]) => runCommand(test.database.serviceUrl, 'order', 'address', ...args);
    const { stdout } = await run(number, '--city', 'Pune');
    expect(stdout).toContain(
      `The order is on packing list ${list}. Print its slip again: packing show ${list} `,
    );
    const json = JSON.parse((await run(number, '--city', 'Goa', '--json')).stdout) as OrderOutput;
    expect([json.packing_list, json.shipping.city]).toEqual([list, 'Goa']);

    await packing.drop(list, 'test');
    expect((await run(number, '--city', 'Kochi')).stdout).not.toContain('packing list');
    const form = (await owner.get(formAt(number)).expect(200)).text;
    const corrections = /name="corrections" value="(\d+)"/.exec(form)![1]!;
    await owner.post(formAt(number), { ...DELIVERY, corrections, city: 'Salem' }).expect(303);
    expect((await desk().show(number)).shipping.city).toBe('Salem');
  });

  it('does not undo a change that came between the form and its answer', async () => {
    const number = await place();
    await desk().redirect(number, 'sita', { city: 'Pune' }, undefined);
    const { text } = await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215' }).expect(409);
    expect(readable(text)).toContain('The delivery was changed after you opened this form');
    expect(text).toMatch(/name="corrections" value="1"/);
    expect((await desk().show(number)).shipping.city).toBe('Pune');
    await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215', corrections: 'x' }).expect(409);
    await owner.post(formAt(number), { ...DELIVERY, phone: '98765 43215', corrections: '1' }).expect(303);
  });

  it('and a packing list decide one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      const number = await place('pay');
      const [answer, made] = await Promise.all([
        owner.post(formAt(number), { ...DELIVERY, city: 'Pune' }),
        packing.make('test', { clientId: store.clientId }),
      ]);
      const { shipping, packing_list } = await desk().show(number);
      expect([shipping.city, packing_list]).toEqual([
        answer.status === 303 ? 'Pune' : 'Bengaluru',
        made?.id ?? null,
      ]);
      // Either both came one after the other, or the order was packed first.
      expect([303, 409]).toContain(answer.status);
      if (made) await packing.drop(made.id, 'test');
      await moveOrder(test, store, number, 'ship');
    }
  });
});
