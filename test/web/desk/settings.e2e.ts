import { DataSource } from 'typeorm';
import { CATALOG_COLUMNS, EDITABLE_COLUMNS } from '../../../src/modules/catalog/catalog-columns.js';
import { Product } from '../../../src/modules/catalog/product.entity.js';
import {
  CLIENT_FIELDS,
  CLIENT_NAMES,
  clientAsText,
  TAX_NAMES,
} from '../../../src/modules/clients/client-fields.js';
import { Client } from '../../../src/modules/clients/client.entity.js';
import {
  PLAN_FIELDS,
  PLAN_NAMES,
  planAsText,
  type PlanFieldName,
  planTyped,
} from '../../../src/modules/plans/plan-fields.js';
import { Plan } from '../../../src/modules/plans/plan.entity.js';
import { snakeCase } from '../../../src/platform/snake-case.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import { hiddenFields, linkOf, noticeIn, readable, rows as rowsIn } from '../../support/page-text.js';
import { type FormValues, signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { MailServer, refusal } from '../../support/mail-server.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

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
    const { text } = await admin.post(path, fields).expect(200);
    return admin.post(path, { ...hiddenFields(text), step: 'confirm' });
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
      expect((await act()).status).toBe(303);
      expect(await today()).not.toContain(`${next} `);
    }
    const displayed = readable((await admin.get('/desk/settings').expect(200)).text);
    expect(displayed).not.toContain('New registration from');
    expect(displayed).toMatch(/Tax \(TAX\) GST Payment/);
    for (const text of ['27AAPFU0939F1ZV', 'Maharashtra (27)', 'IFSC: HDFC0001234', 'Phone: +91 98200 00000'])
      expect(displayed).toContain(text);
    expect(await today()).toContain('Add your first client.');
    expect(await today()).not.toContain('Add your first client. (done)');
    const { clientId } = await test.fixtures.store();
    expect(await today()).toContain('Invite a person');
    expect(await today()).toContain('Add your first client. (done)');
    await signInAtDesk(test, 'packer');
    expect(await today()).not.toContain('First steps');
    const owner = await signIn(test, clientId);
    expect((await owner.get('/dashboard/wallet/top-up').expect(200)).text).toContain('HDFC0001234');
    expect(readable((await owner.get('/dashboard/help').expect(200)).text)).toContain('+91 98200 00000');
  });

  it.each([
    ['/desk/settings/seller', { ...SELLER, gstin: '27AAPFU0939F1ZW' }, 'GSTIN'],
    ['/desk/settings/ledgers', { bank: ' ' }, 'must not be empty'],
    ['/desk/settings/ledgers', { bank: 'Payment gateway.' }, 'Two ledgers would be one'],
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
      const { status, text } = await admin.post(path, { ...fields, step });
      expect([status, readable(text)]).toEqual([expect.any(Number), expect.stringContaining(reason)]);
      expect(status).not.toBe(303);
      expect(status).toBeLessThan(500);
    }
  });

  it('tells the late one of two admins, and logs who set what', async () => {
    const late = async (path: string, fields: FormValues) => {
      const form = { ...fields, step: 'confirm' };
      return (await admin.post(path, form)).text;
    };
    expect(readable(await late('/desk/settings/seller', { ...SELLER, was: '{}' }))).toContain(
      'in the meantime',
    );
    const bank = {
      bankDetails: 'Account: Thief',
      contact: '',
      was: '{"bankDetails":"Account: Other","contact":""}',
    };
    const { was: _, ...unseen } = bank;
    for (const fields of [bank, unseen, {}])
      expect(readable(await late('/desk/settings/house', fields))).toContain('in the meantime');
    const now = { bankDetails: BANK, contact: 'Phone: +91 98200 00000' };
    const form = { was: JSON.stringify(now), step: 'confirm' };
    await admin.post('/desk/settings/house', form).expect(303);
    const isOurs = `action ~ '^(house|seller|plan|product)\\.' AND actor LIKE 'person %'`;
    const actions = (await test.audited('action', isOurs)).map(({ action }) => action);
    expect(actions).toEqual(['seller.changed', 'house.changed', 'plan.created', 'product.added']);
  });

  it('sets the names of ledgers in Tally, for vouchers from then on, and logs them', async () => {
    const names = { cgst: 'Output CGST', bank: 'HDFC 0123' };
    expect((await done('/desk/settings/ledgers', names)).status).toBe(303);
    const late = await admin.post('/desk/settings/ledgers', { ...names, was: '{}', step: 'confirm' });
    expect(readable(late.text)).toContain('in the meantime');
    expect(readable((await admin.get('/desk/settings').expect(200)).text)).toContain('Output CGST');
    const isOfNames = `action = 'house.changed' AND details ? 'ledger_names'`;
    expect(await test.audited('details', isOfNames)).toEqual([
      { details: { ledger_names: 'cgst: Output CGST\nbank: HDFC 0123', ledger_names_before: '' } },
    ]);
  });

  afterAll(endEverything);

  it('lists all settings of the start for an admin, without secrets, where “As in the settings” leads', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { SMTP_URL: 'smtp://u:p4ssw0rd@mail.example', UNPAID_ORDERS_LIMIT: '77' });
    const { text } = await admin.get('/desk/settings').expect(200);
    process.env = before;
    const listed = rowsIn(text);
    const startOf = (name: string) => listed.find((row) => row.startsWith(`${name} `));
    expect(startOf('UNPAID_ORDERS_LIMIT')).toMatch(
      /^UNPAID_ORDERS_LIMIT The most unpaid orders of one client\..* 77 Environment$/,
    );
    expect(startOf('SMTP_URL')).toMatch(/ Set Environment$/);
    expect(startOf('TIME_ZONE')).toMatch(/ Asia\/Kolkata Default$/);
    expect(text).not.toContain('p4ssw0rd');
    const { clientId } = await test.fixtures.store();
    const { text: client } = await admin.get(`/desk/clients/${clientId}`).expect(200);
    const [path, name] = linkOf(client, 'As in the settings').split('#');
    expect(path).toBe('/desk/settings');
    expect(text).toContain(`id="${name}"`);
    const clerk = await signInAtDesk(test, 'staff');
    await clerk.get('/desk/settings').expect(403);
    expect((await clerk.get(`/desk/clients/${clientId}`)).text).not.toContain('/desk/settings#');
  });
});

const MUMBAI = '27AAPFU0939F1ZV';

/** By field: what is typed, and how it is shown. */
const CLIENT_VALUES: Record<keyof typeof CLIENT_FIELDS, readonly [typed: string, shown: string]> = {
  name: ['Zubin Unique', 'Zubin Unique'],
  email: ['zubin@unique.example', 'zubin@unique.example'],
  unpaidValueLimit: ['7654.5', '₹7,654.50'],
  unpaidOrdersLimit: ['4321', '4,321'],
  timeZone: ['Asia/Singapore', 'Asia/Singapore'],
  gstin: [MUMBAI, MUMBAI],
  gstCategory: ['sez', 'Unit or developer of a special economic zone'],
  state: ['27', 'Maharashtra (27)'],
  billingAddress: ['77, Unique Lane', '77, Unique Lane'],
};

/** Columns without a form field: the key, the times, and a state with buttons of its own. */
const NOT_TYPED_OF_CLIENT = ['id', 'ledgerName', 'suspendedAt', 'createdAt', 'changed'];

/** By column: what is typed, how it is stored, and how the desk shows it. */
const PRODUCT_VALUES: Record<
  (typeof EDITABLE_COLUMNS)[number],
  readonly [typed: string, stored: string, shown: string]
> = {
  name: ['Unique bowl', 'Unique bowl', 'Unique bowl'],
  description: ['A unique text', 'A unique text', 'A unique text'],
  category: ['Uniqueware', 'Uniqueware', 'Uniqueware'],
  images: ['https://unique.example/1.jpg', 'https://unique.example/1.jpg', 'https://unique.example/1.jpg'],
  base_price: ['1234.5', '1234.50', '₹1,234.50'],
  delivery_charge: ['56.7', '56.70', '₹56.70'],
  active: ['no', 'no', 'Not for sale'],
  variations: ['Unique=A|B', 'Unique=A|B', 'Unique=A|B'],
  low_stock: ['4321', '4321', '4321'],
  shelf: ['U-77-7', 'U-77-7', 'U-77-7'],
  hsn: ['69120010', '69120010', '69120010'],
  gst_rate: ['0', '0', 'GST rate in percent</dt><dd>0<'],
  gst_treatment: ['Non-GST', 'non_gst', 'GST treatment</dt><dd>Non-GST<'],
  unit: ['pcs', 'PCS', '>PCS<'],
  barcode: ['4006381333931', '4006381333931', '4006381333931'],
  weight_grams: ['8765', '8765', '8765'],
  mrp: ['4567.5', '4567.50', '₹4,567.50'],
  country_of_origin: ['lk', 'Sri Lanka', 'Sri Lanka'],
  manufacturer: ['Unique Maker, 7 Unique Road', 'Unique Maker, 7 Unique Road', 'Unique Maker, 7 Unique Road'],
  net_quantity: ['77 g', '77 g', '77 g'],
  details_url: ['https://unique.example/bowl', 'https://unique.example/bowl', 'https://unique.example/bowl'],
};

/** By field: what is typed, and how it is shown. */
const PLAN_VALUES: Record<PlanFieldName, readonly [typed: string, shown: string]> = {
  name: ['Unique plan', 'Unique plan'],
  discount: ['7.25', '7.25 %'],
};

const NOT_TYPED_OF_PLAN = ['id', 'code', 'createdAt', 'changed', 'repriced'];

const NOT_TYPED_OF_PRODUCT = ['id', 'created_at', 'changed', 'withdrawn'];

describe('A test mail', () => {
  const test = setUpTestApp();
  /** Returns the notice. */
  const send = async (admin: Awaited<ReturnType<typeof signInAtDesk>>) => {
    const { headers } = await admin.post('/desk/settings/test-mail').expect(303);
    return noticeIn(headers);
  };

  it('goes to the address of the admin, who reads whether the mail server accepts it', async () => {
    const server = await MailServer.start();
    const node = await startTestApp({ mail: server.settings }, test.database);
    const admin = await signInAtDesk(node);
    const { email } = admin.person;
    const words = readable((await admin.get('/desk/settings').expect(200)).text);
    expect(words).toContain('The test shows whether the mail server accepts');
    expect(await send(admin)).toContain(`The mail server accepted a test mail to ${email}.`);
    expect(server.to(email).subject).toBe('Test mail');
    server.checkRecipient = () => refusal(550, 'No such mailbox');
    expect(await send(admin)).toContain('The server refused the mail: EENVELOPE 550 at RCPT TO.');
    await node.close();
    await server.close();
  });

  it('is not offered without a mail server: the page says how to set one', async () => {
    const admin = await signInAtDesk(test);
    const words = readable((await admin.get('/desk/settings').expect(200)).text);
    expect(words).toContain('To send mail, set SMTP_URL');
    expect(words).not.toContain('Send a test mail');
  });
});

describe('Each described field', () => {
  const test = setUpTestApp();
  const expectIn = (name: string, places: Record<string, boolean>) =>
    expect([name, Object.keys(places).filter((place) => !places[place])]).toEqual([name, []]);

  it('of a client is shown and set by the desk, programs and the owner, and recorded', async () => {
    const names = test.app
      .get(DataSource)
      .getMetadata(Client)
      .columns.map(({ propertyName }) => propertyName);
    expect(names.toSorted()).toEqual([...CLIENT_NAMES, ...NOT_TYPED_OF_CLIENT].toSorted());
    await test.fixtures.seller();
    const { clientId } = await test.fixtures.store();
    const path = `/desk/clients/${clientId}`;
    const clients = test.app.get(DataSource).getRepository(Client);
    const before = await clients.findOneByOrFail({ id: clientId });
    const sent = CLIENT_NAMES.map((name) => [snakeCase(name), CLIENT_VALUES[name][0]]);
    const api = await adminApi(test);
    const answer = await dataOf(api.patch(`clients/${clientId}`, Object.fromEntries(sent)));
    const after = await clients.findOneByOrFail({ id: clientId });
    const [admin, owner] = [await signInAtDesk(test, 'admin'), await signIn(test, clientId, 'owner')];
    const page = async (by: typeof admin | typeof owner, address: string) =>
      (await by.get(address).expect(200)).text;
    const { rows } = await test.pool.query<{ details: object }>(
      `SELECT details FROM audit_log WHERE client_id = $1 AND action = 'client.changed'`,
      [clientId],
    );
    const { details: audited } = rows[0]!;
    const facts = readable(await page(admin, path));
    const details = await page(admin, `${path}/details`);
    const billing = await page(owner, '/dashboard/plan/billing');
    for (const name of CLIENT_NAMES) {
      const [typed, words] = CLIENT_VALUES[name];
      const isIn = (form: string) => form.includes(`name="${name}"`) && form.includes(`value="${typed}"`);
      const isOwners = TAX_NAMES.includes(name);
      const isNoticed = clientAsText({ ...before, [name]: after[name] }) !== clientAsText(before);
      expect([name, isIn(billing), isNoticed]).toEqual([name, isOwners, true]);
      expectIn(name, {
        facts: facts.includes(`${CLIENT_FIELDS[name].label} ${words}`),
        form: isIn(details),
        answer: String(answer[snakeCase(name)]) === typed,
        audit: snakeCase(name) in audited && `${snakeCase(name)}_before` in audited,
      });
    }
  });

  it('of a product is shown and set by the desk and programs, and stands in the file', async () => {
    const columns = test.app.get(DataSource).getMetadata(Product).columns;
    const databaseNames = columns.map(({ databaseName }) => databaseName);
    expect(databaseNames.toSorted()).toEqual([...CATALOG_COLUMNS, ...NOT_TYPED_OF_PRODUCT].toSorted());
    const { sku } = await test.fixtures.product();
    const sent = EDITABLE_COLUMNS.map((column) => [column, PRODUCT_VALUES[column][0]]);
    const api = await adminApi(test);
    const body = { ...Object.fromEntries(sent), force: true };
    const { changed } = await dataOf(api.put(`products/${sku}`, body));
    const staff = await signInAtDesk(test, 'staff');
    const page = async (address: string) => (await staff.get(address).expect(200)).text;
    const displayed = await page(`/desk/goods/products/${sku}`);
    const form = await page(`/desk/goods/products/${sku}/edit`);
    const { text: file } = await api.get('exports/catalog').set('Accept', 'text/csv');
    const heading = file.slice(0, file.indexOf('\n')).split(',');
    for (const column of EDITABLE_COLUMNS) {
      const [, stored, words] = PRODUCT_VALUES[column];
      expectIn(column, {
        facts: displayed.includes(words),
        form: form.includes(`name="${column}"`) && form.includes(stored),
        answer: (changed as { column: string }[]).some((message) => message.column === column),
        file: heading.includes(column),
      });
    }
  });

  it('of a plan is shown and set by the desk and programs, and stands in the log of changes', async () => {
    const columns = test.app.get(DataSource).getMetadata(Plan).columns;
    const names = columns.map(({ propertyName }) => propertyName);
    expect(names.toSorted()).toEqual([...PLAN_NAMES, ...NOT_TYPED_OF_PLAN].toSorted());
    const code = 'unique';
    await test.fixtures.plan({ code, name: 'Before', discount: '1' });
    const plans = test.app.get(DataSource).getRepository(Plan);
    const before = await plans.findOneByOrFail({ code });
    const sent = PLAN_NAMES.map((name) => [name, PLAN_VALUES[name][0]]);
    const answer = await dataOf((await adminApi(test)).put(`plans/${code}`, Object.fromEntries(sent)));
    const after = await plans.findOneByOrFail({ code });
    const { rows } = await test.pool.query<{ after: object }>(
      `SELECT after FROM changes WHERE subject = 'plan' AND name = $1 ORDER BY id DESC LIMIT 1`,
      [code],
    );
    const admin = await signInAtDesk(test, 'admin');
    const path = `/desk/goods/plans/${code}`;
    const form = (await admin.get(path).expect(200)).text;
    const typed = { from: '', to: '', ...planRecord(planTyped(before)) };
    const review = readable((await admin.post(path, { ...typed, step: 'review' }).expect(200)).text);
    for (const name of PLAN_NAMES) {
      const [value, words] = PLAN_VALUES[name];
      const isNoticed = planAsText({ ...before, [name]: after[name] }) !== planAsText(before);
      expect([name, isNoticed]).toEqual([name, true]);
      expectIn(name, {
        answer: String(answer[name]) === value,
        form: form.includes(`name="${name}"`) && form.includes(`value="${value}"`),
        review: review.includes(`${PLAN_FIELDS[name].label} ${words} →`),
        log: name in rows[0]!.after,
      });
    }
  });
});

function planRecord(typed: (name: PlanFieldName) => string): Record<string, string> {
  return Object.fromEntries(PLAN_NAMES.map((name) => [name, typed(name)]));
}
