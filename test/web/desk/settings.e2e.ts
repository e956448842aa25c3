import { hiddenFields, readable } from '../../support/page-text.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const SELLER = {
  name: 'Sharma Wholesale',
  gstin: '27AAPFU0939F1ZV',
  address: '1 MG Road, Pune 411001',
  state: '',
};
const BANK = 'Account: Sharma Wholesale\nIFSC: HDFC0001234';

describe('The first day at the desk', () => {
  const test = setUpTestApp();

  let admin: Awaited<ReturnType<typeof signInAtDesk>>;
  beforeAll(async () => {
    admin = await signInAtDesk(test);
  });
  const today = async () => readable((await admin.get('/desk').expect(200)).text);

  /** Submits a form, then confirms its review with the hidden fields of the review. */
  async function done(path: string, fields: Record<string, string>) {
    const review = await admin.post(path).type('form').send(fields).expect(200);
    const observed = Object.fromEntries(
      Object.entries(hiddenFields(review.text)).map(([name, [value]]) => [name, value]),
    );
    const change = await admin
      .post(path)
      .type('form')
      .send({ ...observed, step: 'confirm' });
    return { review: readable(review.text), confirmation: change };
  }

  it('leads from the seller to the first client, and each step ticks itself off', async () => {
    const steps = [
      ['Set the seller', () => done('/desk/settings/seller', SELLER)],
      [
        'Set it',
        () => done('/desk/settings/house', { bankDetails: BANK, contact: 'Phone: +91 98200 00000' }),
      ],
      ['New plan', () => done('/desk/goods/new-plan', { code: 'growth', name: 'Growth', discount: '12.5' })],
      [
        'Add products',
        () =>
          done('/desk/goods/new', {
            sku: 'MUG',
            name: 'Mug',
            base_price: '250',
            delivery_charge: '40',
            active: 'yes',
          }),
      ],
    ] as const;
    for (const [next, act] of steps) {
      expect(await today()).toContain(next);
      expect((await act()).confirmation.status).toBe(303);
      expect(await today()).not.toContain(`${next} `);
    }
    const displayed = readable((await admin.get('/desk/settings').expect(200)).text);
    for (const text of ['27AAPFU0939F1ZV', 'Maharashtra (27)', 'IFSC: HDFC0001234', 'Phone: +91 98200 00000'])
      expect(displayed).toContain(text);
    expect(await today()).toContain('Invite a person');
    await signInAtDesk(test, 'packer');
    expect(await today()).toContain('New client');
    const { clientId } = await test.fixtures.store();
    expect(await today()).not.toContain('First steps');
    const owner = await signIn(test, clientId);
    expect((await owner.get('/dashboard/wallet/top-up').expect(200)).text).toContain('HDFC0001234');
    expect(readable((await owner.get('/dashboard/help').expect(200)).text)).toContain('+91 98200 00000');
  });

  it.each([
    ['/desk/settings/seller', { ...SELLER, gstin: '27AAPFU0939F1ZW' }, 'GSTIN'],
    ['/desk/settings/house', { bankDetails: 'HDFC0001234', contact: '' }, 'Must be up to 12 parts'],
    ['/desk/goods/new-plan', { code: 'growth', name: '', discount: '5' }, 'Is a plan already'],
    ['/desk/goods/new-plan', { code: 'two words', name: '', discount: '5' }, 'A plan code has'],
    ['/desk/goods/new-plan', { code: 'vip', name: '', discount: '101' }, 'The discount must'],
    [
      '/desk/goods/new',
      { sku: 'MUG', name: 'Mug', base_price: '1', delivery_charge: '0' },
      'Is in the catalog already',
    ],
    [
      '/desk/goods/new',
      { sku: 'CUP', name: 'Cup', base_price: 'free', delivery_charge: '0' },
      'Must be a plain number',
    ],
    ['/desk/goods/new', { sku: '', name: 'Cup', base_price: '1', delivery_charge: '0' }, 'Must not be empty'],
  ])('%s refuses %j in the review and at its confirmation', async (path, fields, reason) => {
    for (const step of ['', 'confirm']) {
      const { status, text } = await admin
        .post(path)
        .type('form')
        .send({ ...fields, step });
      expect([status, readable(text)]).toEqual([expect.any(Number), expect.stringContaining(reason)]);
      expect(status).not.toBe(303);
      expect(status).toBeLessThan(500);
    }
  });

  it('tells the late one of two admins, and logs who set what', async () => {
    const late = async (path: string, fields: object) => {
      const form = { ...fields, step: 'confirm' };
      return (await admin.post(path).type('form').send(form)).text;
    };
    expect(readable(await late('/desk/settings/seller', { ...SELLER, was: '{}' }))).toContain(
      'in the meantime',
    );
    const bank = {
      bankDetails: 'Account: Thief',
      contact: '',
      was: '{"bankDetails":"Account: Other","contact":""}',
    };
    for (const fields of [bank, { ...bank, was: undefined }, {}])
      expect(readable(await late('/desk/settings/house', fields))).toContain('in the meantime');
    const now = { bankDetails: BANK, contact: 'Phone: +91 98200 00000' };
    const form = { was: JSON.stringify(now), step: 'confirm' };
    await admin.post('/desk/settings/house').type('form').send(form).expect(303);
    const { rows } = await test.pool.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE action ~ '^(house|seller|plan|product)\\.' AND actor LIKE 'person %' ORDER BY id`,
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'seller.changed',
      'house.changed',
      'plan.created',
      'product.added',
    ]);
  });
});
