import request from 'supertest';
import type { TransitionName } from '../../src/modules/orders/rules/order-transitions.js';
import type { DeskPerson } from '../../src/platform/access/signed-in-person.js';
import { csvRow } from '../../src/shared/imports/csv-format.js';
import { ImportRuns } from '../../src/shared/imports/import-runs.service.js';
import { dayAt } from '../../src/platform/time/time.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { placeAndMove } from '../support/order-steps.js';
import { formFields, hiddenFields } from '../support/page-text.js';
import { runCommand, runCommandOn } from '../support/run-command.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk } from '../support/sign-in.js';
import { setUpTestApp } from '../support/test-app.js';

type Value = string | undefined;

/** Sends each text by one way into the service, and returns the stored values; undefined for a refused text. */
type Way = (texts: readonly string[]) => Promise<Value[]>;

/** The columns and cells of a row. */
type Row = Record<string, string>;

const ZONE = 'Asia/Kolkata';

/** Each value is read by one function, by whichever way it comes: API, form, command or file. */
describe('Each way in reads alike', () => {
  const test = setUpTestApp();
  let store: Store;
  let made = 0;

  beforeAll(async () => {
    store = await test.fixtures.store();
    await test.fixtures.products([
      { sku: 'MUG', stock: 1_000_000, hsn: '6912' },
      { sku: 'CUP', stock: 1_000_000 },
    ]);
  });

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const unique = (prefix: string) => `${prefix}-${++made}`;

  /** The first value that a query finds. */
  const stored = async (sql: string, ...values: unknown[]): Promise<Value> => {
    const { rows } = await test.pool.query<(string | number | Date | null)[]>({
      text: sql,
      values,
      rowMode: 'array',
    });
    const value = rows[0]?.[0] ?? undefined;
    return value instanceof Date ? value.toISOString() : value?.toString();
  };

  /** A way that takes one text at a time. */
  const each =
    (read: (text: string) => Promise<Value>): Way =>
    async (texts) => {
      const values: Value[] = [];
      for (const text of texts) values.push(await read(text));
      return values;
    };

  /** A file with a row for each text. `find` returns what became of the row with this key. */
  const file =
    (
      command: string[],
      make: () => Promise<string>,
      row: (key: string, text: string) => Row,
      find: (key: string) => Promise<Value>,
    ): Way =>
    async (texts) => {
      const keys: string[] = [];
      for (const _ of texts) keys.push(await make());
      const rows = texts.map((text, at) => row(keys[at]!, text));
      const content = [Object.keys(rows[0]!), ...rows.map((one) => Object.values(one))]
        .map((cells) => csvRow(cells))
        .join('');
      await runCommandOn(content, test.database.url, ...command);
      return Promise.all(keys.map(find));
    };

  /** `read` has the value of each accepted text. */
  const compare = (
    what: string,
    ways: Record<string, Way>,
    read: Record<string, string>,
    refused: string[],
  ) =>
    describe(what, () => {
      it.each(Object.keys(ways))('is read by %s as everywhere', async (name) => {
        const texts = [...Object.keys(read), ...refused];
        const values = await ways[name]!(texts);
        expect(texts.map((text, at) => [text, values[at]])).toEqual(texts.map((text) => [text, read[text]]));
      });
    });

  // Each form has a person of its own, because a person may submit only so many forms a minute.

  /** Submits the form of a page with these values. */
  const submit = async (path: string, typed: FormValues, person?: SignedIn | SignedIn<DeskPerson>) => {
    const someone = person ?? (await signInAtDesk(test));
    return someone.post(path, { ...formFields((await someone.get(path)).text), ...typed });
  };

  /** Submits the form of a page at the desk, and confirms its review. */
  const confirm = async (path: string, typed: FormValues) => {
    const person = await signInAtDesk(test);
    const review = await submit(path, typed, person);
    return review.status === 200
      ? person.post(path, { ...typed, ...hiddenFields(review.text), step: 'confirm' })
      : review;
  };

  /** Uploads a file at the desk, and checks it with each text as this option. */
  const importOption =
    (kind: string, content: string, option: string, read: (stored: string) => string): Way =>
    async (texts) => {
      const person = await signInAtDesk(test);
      const { headers } = await request(test.url)
        .post('/desk/imports')
        .set('Cookie', person.cookie)
        .set('Sec-Fetch-Site', 'same-origin')
        .field('kind', kind)
        .attach('file', Buffer.from(content), 'file.csv');
      const { location } = headers as { location: string };
      const runs = test.app.get(ImportRuns);
      const values = await each(async (text) => {
        await runs.settled();
        const { status } = await person.post(`${location}/check`, { [option]: text });
        if (status !== 303) return undefined;
        const sql = `SELECT options->>'${option}' FROM import_runs WHERE id = $1`;
        return read((await stored(sql, location.split('/').at(-1)))!);
      })(texts);
      await runs.settled();
      return values;
    };

  const dayOf = (time: Value) => (time === undefined ? undefined : dayAt(Date.parse(time), ZONE));

  const product = async (): Promise<string> => {
    const { sku } = await test.fixtures.product({ sku: unique('P'), basePrice: '1', hsn: '6912', stock: 5 });
    return sku;
  };

  const columnOf = (column: string, before: string) => async (sku: string) => {
    const value = await stored(`SELECT ${column}::float8 FROM products WHERE sku = $1`, sku);
    return value === before ? undefined : value;
  };

  /** A column of a new product after its change; undefined if it is as before. */
  const changed = (column: string, before: string, change: (sku: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const sku = await product();
      await change(sku, text);
      return columnOf(column, before)(sku);
    });

  const catalogFile = (column: string, before: string) =>
    file(
      ['catalog', 'import', '-', '--force'],
      product,
      (sku, text) => ({ sku, name: 'Mug', base_price: '1', delivery_charge: '0', [column]: text }),
      columnOf(column, before),
    );

  const edited = (column: string, before: string, path = 'edit', field = column) =>
    changed(column, before, (sku, text) =>
      submit(`/desk/goods/products/${sku}/${path}`, { [field]: text, force: 'yes', step: 'confirm' }),
    );

  const adjustment = (adjust: (clientId: number, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const { clientId } = await test.fixtures.store();
      await adjust(clientId, text);
      return stored(
        `SELECT abs((details->>'amount')::float8) FROM audit_log
          WHERE action = 'wallet.adjusted' AND client_id = $1`,
        clientId,
      );
    });

  const transfer = (announce: (utr: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const utr = `N${String(++made).padStart(15, '0')}`;
      await announce(utr, text);
      return stored('SELECT amount::float8 FROM bank_transfers WHERE utr = $1', utr);
    });

  compare(
    'An amount',
    {
      'a transfer by command': transfer((utr, text) =>
        run('transfer', 'announce', String(store.clientId), text, utr),
      ),
      'a transfer by form': transfer(async (utr, sent) =>
        (await signIn(test, store.clientId)).post('/dashboard/wallet/transfers', { sent, utr }),
      ),
      'an adjustment by command': adjustment((id, text) =>
        run('wallet', 'adjust', String(id), text, '--reason', 'a test'),
      ),
      'an adjustment by form': adjustment((id, amount) =>
        confirm(`/desk/clients/${id}/wallet/adjust`, { amount, reason: 'a test' }),
      ),
      'a cap by command': each(async (text) => {
        const { clientId } = await test.fixtures.store();
        await run('wallet', 'auto-pay', String(clientId), '--enabled', '--order-cap', text);
        return stored('SELECT order_cap::float8 FROM auto_pay WHERE client_id = $1', clientId);
      }),
      'a price by command': changed('base_price', '1', (sku, text) =>
        run('product', 'set', sku, '--base-price', text, '--force'),
      ),
      'a price by form': edited('base_price', '1', 'prices', 'price'),
      'a price by file': catalogFile('base_price', '1'),
    },
    { '2500': '2500', '2,500.5': '2500.5', '₹1,00,000': '100000', 'Rs. 499/-': '499', ' 12.50 INR ': '12.5' },
    ['2,50', '1.005', 'free', '₹', '1e3'],
  );

  const ON_HAND = 'SELECT on_hand FROM stock_items i JOIN products p ON p.id = i.product_id WHERE sku = $1';

  /** The number on hand, which was 5; undefined if it still is. */
  const onHand = async (sku: string) => {
    const now = await stored(ON_HAND, sku);
    return now === '5' ? undefined : now;
  };

  const stockOf = (change: (sku: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const sku = await product();
      await change(sku, text);
      return onHand(sku);
    });

  const stockForm = (action: string) =>
    stockOf((sku, quantity) => confirm(`/desk/goods/products/${sku}/stock`, { action, quantity }));

  compare(
    'A quantity',
    {
      'a count by command': stockOf((sku, text) => run('stock', 'count', sku, text)),
      'a count by form': stockForm('count'),
      'a count by file': file(
        ['stock', 'import', '-'],
        product,
        (sku, quantity) => ({ sku, variation: '', quantity }),
        onHand,
      ),
      'a threshold by command': changed('low_stock', '0', (sku, text) =>
        run('product', 'set', sku, '--low-stock', text),
      ),
      'a threshold by file': catalogFile('low_stock', '0'),
      'a limit by command': each(async (text) => {
        const { clientId } = await test.fixtures.store();
        await run('client', 'set', String(clientId), '--unpaid-orders-limit', text);
        return stored('SELECT unpaid_orders_limit FROM clients WHERE id = $1', clientId);
      }),
    },
    { '12': '12', ' 12 ': '12', '007': '7', '1000000000': '1000000000' },
    ['1000000001', '+12', '-3', '1.0', '1e1', '0x10', '1,000', '12 pcs', '१२'],
  );

  const received = stockOf((sku, text) => run('stock', 'receive', sku, text));
  const none = ['0', '3.0', '1000000001'];
  compare('A change of the stock', { command: received }, { '3': '8', '-3': '2' }, none);
  const signed = { '3': '8', '+3': '8', '-3': '2', '−3': '2' };
  compare('A change of the stock', { form: stockForm('receive') }, signed, none);

  /** An order of 100 units in each of two lines, after these steps. */
  const order = async (...actions: TransitionName[]): Promise<string> => {
    const items = ['MUG', 'CUP'].map((sku) => ({ sku, quantity: 100 }));
    return placeAndMove(test, store, items, ...actions);
  };

  const returnedFor = (reason: string) =>
    stored(
      `SELECT string_agg(format('%s=%s', line, quantity), ' ' ORDER BY line)
         FROM order_return_items JOIN order_returns USING (client_id, order_number, return_number)
        WHERE reason = $1`,
      reason,
    );

  const returned =
    (ask: (number: string, text: string, reason: string) => Promise<unknown>): Way =>
    async (texts) => {
      const number = await order('pay', 'ship');
      return each(async (text) => {
        const reason = unique('reason');
        await ask(number, text, reason);
        return returnedFor(reason);
      })(texts);
    };

  /** The fields of a form, which has one for each line. */
  const lineFields = (text: string) =>
    Object.fromEntries(
      text
        .split(',')
        .map((part) => part.split('='))
        .map(([line, units]) => [`line_${line}`, units!]),
    );

  const returnFile: Way = async (texts) => {
    const order_number = await order('pay', 'ship');
    return file(
      ['return', 'import', '-'],
      () => Promise.resolve(unique('reason')),
      (reason, lines) => ({ order_number, lines, reason }),
      returnedFor,
    )(texts);
  };

  const units: Record<string, Way> = {
    'a return by command': returned((number, text, reason) =>
      run(
        'return',
        'add',
        number,
        ...text.split(',').flatMap((line) => ['--line', line]),
        '--reason',
        reason,
      ),
    ),
    'a return by form of the client': returned(async (number, text, reason) =>
      (await signIn(test, store.clientId)).post(`/dashboard/orders/${number}/return`, {
        ...lineFields(text),
        reason,
        note: '',
        key: reason,
      }),
    ),
    'a return by form of the desk': returned((number, text, reason) =>
      confirm(`/desk/orders/${number}/return`, { ...lineFields(text), reason, note: '' }),
    ),
    'a return by file': returnFile,
  };

  compare(
    'Units of lines',
    {
      ...units,
      'a return by API': returned((number, text, reason) => {
        const lines = text.split(',').map((part) => part.split('=').map(Number));
        return test.post(store, `/api/orders/${number}/returns`, {
          store_return_id: unique('R'),
          lines: lines.map(([line, quantity]) => ({ line, quantity })),
          reason,
        });
      }),
    },
    { '1=2': '1=2', '1=02': '1=2', '2=1,1=2': '1=2 2=1' },
    ['1=0', '1=101', '1=1.5', '1=-1'],
  );

  // JSON has numbers, so the API reads these texts nowhere.
  compare('A typed number of units', units, {}, ['1=2.0', '1=1e1', '1=0x2', '1=+2', '1=two']);

  const placed = async () => {
    const number = await order('pay');
    await test.fixtures.placedAt(number, '2025-01-01');
    return number;
  };

  const parcelOf = (column: string) => (number: string) =>
    stored(`SELECT ${column} FROM parcels p WHERE order_number = $1`, number);

  /** A column of the parcel that this shipment makes. */
  const shipped = (column: string, ship: (number: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const number = await placed();
      await ship(number, text);
      return parcelOf(column)(number);
    });

  const shipmentFile = (column: string, storedAs: string) =>
    file(
      ['shipment', 'import', '-', '--force'],
      placed,
      (order_number, text) => ({ order_number, courier: 'DTDC', [column]: text }),
      parcelOf(storedAs),
    );

  const LINES = `(SELECT string_agg(format('%s=%s', line, quantity), ' ' ORDER BY line) FROM parcel_items i
                   WHERE (i.client_id, i.order_number, i.parcel) = (p.client_id, p.order_number, p.parcel))`;

  compare(
    'A list of lines',
    {
      'a return by file': returnFile,
      'a parcel by file': shipmentFile('lines', LINES),
    },
    { '1=2 2=1': '1=2 2=1', '2=1; 1=2': '1=2 2=1', ' 1=2,': '1=2' },
    ['1 = 2', '1:2', '0=1', '1=2=3', '1=2 1=1', ','],
  );

  const unnumbered = async () => {
    const number = await placed();
    await run('order', 'ship', number, '--courier', 'DTDC');
    return number;
  };

  const corrected = (correct: (number: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const number = await unnumbered();
      await correct(number, text);
      return parcelOf('tracking_number')(number);
    });

  compare(
    'A tracking number',
    {
      'a parcel by command': shipped('tracking_number', (number, text) =>
        run('order', 'ship', number, '--courier', 'DTDC', '--force', '--tracking-number', text),
      ),
      'a parcel by form': shipped('tracking_number', (number, text) =>
        confirm(`/desk/orders/${number}/ship`, { courier: 'DTDC', tracking_number: text }),
      ),
      'a parcel by file': shipmentFile('tracking_number', 'tracking_number'),
      'a pasted parcel': shipped('tracking_number', async (number, text) => {
        const path = '/desk/packing/ship';
        const typed = { courier: 'DTDC', orders: `${number} ${text}`, sharing: 'accepted' };
        const person = await signInAtDesk(test);
        const review = await person.post(path, typed);
        return person.post(path, { ...typed, ...hiddenFields(review.text), step: 'ship' });
      }),
      'a correction by command': corrected((number, text) =>
        run('order', 'correct', number, '--tracking-number', text, '--force'),
      ),
      'a correction by form': corrected((number, text) =>
        confirm(`/desk/orders/${number}/correct`, { courier: 'DTDC', tracking_number: text }),
      ),
      'a correction by file': file(
        ['shipment', 'correct', '-', '--force'],
        unnumbered,
        (order_number, text) => ({ order_number, courier: 'DTDC', tracking_number: text }),
        parcelOf('tracking_number'),
      ),
    },
    { ' 0012345 ': '0012345', 'AWB 12-34': 'AWB 12-34', ['9'.repeat(100)]: '9'.repeat(100) },
    ['9'.repeat(101), '1.23E+11', '1,23e11', '12\u202e34'],
  );

  /** A field of a delivery after its change; undefined if it is as before. */
  const delivered = (column: string, change: (number: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const number = await order();
      const find = () => stored(`SELECT ${column} FROM orders WHERE order_number = $1`, number);
      const before = await find();
      await change(number, text);
      const after = await find();
      return after === before ? undefined : after;
    });

  const deliveryWays = (column: string, group: 'customer' | 'shipping', name: string) => ({
    API: each(async (text) => {
      const body = orderBody([{ sku: 'MUG', quantity: 1 }]);
      const sent = { ...body, [group]: { ...body[group], [name]: text } };
      const { body: answer } = await test.post(store, '/api/orders', sent);
      const { order_number: number = '' } = answer as { order_number?: string };
      return stored(`SELECT ${column} FROM orders WHERE order_number = $1`, number);
    }),
    'form of the client': delivered(column, async (number, text) =>
      submit(`/dashboard/orders/${number}/delivery`, { [name]: text }, await signIn(test, store.clientId)),
    ),
    'form of the desk': delivered(column, (number, text) =>
      confirm(`/desk/orders/${number}/delivery`, { [name]: text }),
    ),
    command: delivered(column, (number, text) => run('order', 'address', number, `--${name}`, text)),
  });

  compare(
    'A phone number',
    deliveryWays('customer_phone', 'customer', 'phone'),
    {
      '9876543211': '9876543211',
      '+91 98765-43211': '+91 98765-43211',
      '(0) 98765 43211': '(0) 98765 43211',
      '00919876543211': '00919876543211',
      '+44 20 7946 0958': '+44 20 7946 0958',
    },
    ['44 20 7946 0958', '98765', '98765432111', '98765 4321x', '+91 ९८७६५ ४३२११'],
  );

  compare(
    'A PIN code',
    deliveryWays('shipping_pincode', 'shipping', 'pincode'),
    { '560001': '560001', '560 001': '560001', '560-001': '560001', ' 560001 ': '560001' },
    ['060001', '56001', '56 0001', '5600011', '५६०००१'],
  );

  const discount = (change: (code: string, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const { id, code } = await test.fixtures.plan({ discount: '1' });
      await change(code, text);
      const value = await stored('SELECT discount::float8 FROM plans WHERE id = $1', id);
      return value === '1' ? undefined : value;
    });

  compare(
    'A percentage',
    {
      'a discount by command': discount((code, text) => run('plan', 'set', code, '--discount', text)),
      'a discount by form': discount((code, text) =>
        confirm(`/desk/goods/plans/${code}`, { discount: text }),
      ),
      'a GST rate by command': changed('gst_rate', '', (sku, text) =>
        run('product', 'set', sku, '--gst-rate', text),
      ),
      'a GST rate by form': edited('gst_rate', '', 'gst-rate'),
      'a GST rate by file': catalogFile('gst_rate', ''),
      'the largest change by command': each(async (text) => {
        const sku = await product();
        await run('product', 'set', sku, '--base-price', '1.41', '--max-change', text);
        await run('product', 'set', sku, '--base-price', '1.40', '--max-change', text);
        return (await columnOf('base_price', '1')(sku)) === '1.4' ? '40' : undefined;
      }),
      'the largest change by form': importOption('catalog', 'sku,base_price\nMUG,1\n', 'maxChange', String),
    },
    { '40': '40', '40%': '40', '40 %': '40', ' 40.00 ': '40' },
    ['40,0', '4e1', '-40', '40.001', '40 percent'],
  );

  /** The day or month in the name of a file of the desk. */
  const fileName =
    (path: string, name: RegExp): Way =>
    async (texts) => {
      const person = await signInAtDesk(test);
      return each(async (text) => {
        const { headers } = await person.get(path + encodeURIComponent(text));
        return name.exec(String(headers['content-disposition']))?.[1];
      })(texts);
    };

  compare(
    'A day',
    {
      'a shipment by file': async (texts) =>
        (await shipmentFile('shipped_at', 'shipped_at')(texts)).map(dayOf),
      'a count by form': importOption('stock', 'sku,quantity\nMUG,100\n', 'countedAt', (at) => dayOf(at)!),
      'a list of orders': each(async (text) => {
        const person = await signIn(test, store.clientId);
        const page = await person.get(`/dashboard/orders?from=${encodeURIComponent(text)}`);
        return formFields(page.text).from?.[0] || undefined;
      }),
    },
    {
      '2025-01-31': '2025-01-31',
      ' 2025-01-31 ': '2025-01-31',
      '31/01/2025': '2025-01-31',
      '31-1-2025': '2025-01-31',
      '31.01.2025': '2025-01-31',
    },
    ['2025-02-30', '01/31/2025', '31/01/25', '20250131', 'yesterday'],
  );

  compare(
    'A last day',
    {
      form: each(async (until) => {
        const { code: plan } = await test.fixtures.plan();
        const { clientId } = await test.fixtures.store({ until: null });
        await submit(`/desk/clients/${clientId}/subscription`, { plan, until });
        return stored(
          `SELECT ((ends_at AT TIME ZONE $2)::date - 1)::text FROM subscriptions WHERE client_id = $1`,
          clientId,
          ZONE,
        );
      }),
    },
    { '2099-12-31': '2099-12-31', ' 31/12/2099': '2099-12-31' },
    ['2099-02-29'],
  );

  const zipName = (path: string) => fileName(`/desk/money/${path}.zip?month=`, /-(\d{4}-[^.]*)\.zip/);
  const gstReturn = { 'a return by form': zipName('month/gstr1') };

  compare(
    'A month',
    {
      ...gstReturn,
      'vouchers by form': zipName('month/tally'),
      'invoices by form': zipName('invoices'),
      'a statement by form': each(async (text) => {
        const person = await signIn(test, store.clientId);
        const { headers } = await person.get(
          `/dashboard/wallet/statement.csv?month=${encodeURIComponent(text)}`,
        );
        return /statement-(.*)\.csv/.exec(String(headers['content-disposition']))?.[1];
      }),
    },
    { '2025-04': '2025-04', ' 2025-04 ': '2025-04' },
    ['2025-4', '2025-13', '1999-12', 'April'],
  );

  compare('A quarter', gstReturn, { '2025-Q2': '2025-Q2', ' 2025-Q2 ': '2025-Q2' }, ['2025-Q5', '1999-Q4']);

  const gstin = (set: (clientId: number, text: string) => Promise<unknown>) =>
    each(async (text) => {
      const { clientId } = await test.fixtures.store();
      await set(clientId, text);
      return stored('SELECT gstin FROM clients WHERE id = $1', clientId);
    });

  compare(
    'A GSTIN',
    {
      'a client by command': gstin((id, text) => run('client', 'set', String(id), '--gstin', text)),
      'a client by form': gstin(async (id, text) => {
        await test.fixtures.seller();
        return submit(`/desk/clients/${id}/tax`, { gstin: text, state: '' });
      }),
      'the seller by command': each(async (text) => {
        await test.pool.query('UPDATE clients SET gstin = NULL, state = NULL');
        await test.fixtures.seller();
        const { exitCode } = await run('seller', 'set', '--gstin', text);
        return exitCode === 0 ? stored('SELECT gstin FROM sellers') : undefined;
      }),
    },
    {
      '27AAPFU0939F1ZV': '27AAPFU0939F1ZV',
      ' 27aapfu0939f1zv ': '27AAPFU0939F1ZV',
      '27 AAPFU 0939F 1ZV': '27AAPFU0939F1ZV',
    },
    ['27AAPFU0939F1ZW', '27AAPFU0939F1Z', '00AAPFU0939F1ZV'],
  );

  const NEW = { base_price: '1', delivery_charge: '0' };
  const newSku = (name: string) => stored('SELECT sku FROM products WHERE name = $1', name);
  const newName = () => Promise.resolve(unique('New product'));
  const removeNew = () => test.pool.query(`DELETE FROM products WHERE name LIKE 'New product%'`);

  compare(
    'A new SKU',
    {
      file: async (texts) => {
        const row = (name: string, sku: string) => ({ sku, name, ...NEW });
        const values = await file(['catalog', 'import', '-', '--force'], newName, row, newSku)(texts);
        await removeNew();
        return values;
      },
      form: each(async (sku) => {
        const name = await newName();
        await submit('/desk/goods/new', { sku, name, ...NEW, force: 'yes', step: 'confirm' });
        return newSku(name);
      }),
    },
    { 'TEE 1': 'TEE 1', ' TEE-2 ': 'TEE-2', 'tee/3?ü': 'tee/3?ü', ['T'.repeat(64)]: 'T'.repeat(64) },
    ['T'.repeat(65), 'T\u202eE', 'T\u200bE', ' '],
  );

  compare(
    'A known SKU',
    {
      'stock by file': each(async (sku) => {
        const quantity = String(500_000 + ++made);
        const content = csvRow(['sku', 'variation', 'quantity']) + csvRow([sku, '', quantity]);
        await runCommandOn(content, test.database.url, 'stock', 'import', '-');
        return stored(
          `SELECT sku FROM products p JOIN stock_items i ON i.product_id = p.id WHERE on_hand = $1`,
          quantity,
        );
      }),
    },
    { CUP: 'CUP', ' CUP ': 'CUP' },
    ['cup', 'C UP'],
  );
});
