import { createConnection } from 'node:net';
import { once } from 'node:events';
import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import { type AdminApi, adminApi } from '../support/admin-api.js';
import { setUpTestApp } from '../support/test-app.js';
import { workbook } from '../support/xlsx.js';

describe('Files of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let erp: AdminApi;
  let packer: AdminApi;

  beforeAll(async () => {
    [erp, packer] = [await adminApi(test, 'staff'), await adminApi(test, 'packer')];
    await test.fixtures.store({ name: 'Store' });
    await test.fixtures.plan({ code: 'GOLD', discount: '10' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '230.00', stock: 5 },
      { sku: 'CUP', name: 'Cup', basePrice: '100.00', stock: 7 },
    ]);
  });

  const send = (path: string, file: string | Buffer, program = erp) =>
    program.post(`imports/${path}`).set('Content-Type', 'text/csv').send(file);
  const prices = async () => {
    const { body } = await erp.get('exports/catalog').set('Accept', 'application/json').expect(200);
    const rows = body.data as { sku: string; base_price: string }[];
    return Object.fromEntries(rows.map(({ sku, base_price }) => [sku, base_price]));
  };

  it('tries and imports a catalog, reports refused rows by line, and does nothing the second time', async () => {
    const file = 'sku,base_price\nMUG,240\nCUP,x\nPOT,9\n';
    const trial = await send('catalog?dry_run=true', file).expect(200);
    expect(trial.body).toMatchObject({
      success: true,
      dry_run: true,
      data: { updated: 1, price_changes: [{ line: 2, sku: 'MUG', from: 230, to: 240 }] },
    });
    expect(await prices()).toEqual({ MUG: '230.00', CUP: '100.00' });
    const { body } = await send('catalog?failed_file=true', file).expect(200);
    expect(body.data).toMatchObject({
      created: 0,
      updated: 1,
      failed: [{ line: 3, column: 'base_price' }, { line: 4 }, { line: 4 }],
    });
    expect(body.data.failed_file).toMatch(/^sku,base_price,reason\r\nCUP,x,"base_price must be/);
    expect(await prices()).toEqual({ MUG: '240.00', CUP: '100.00' });
    expect((await send('catalog', file).expect(200)).body.data).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('takes the options of the command, and names them in reasons', async () => {
    const file = 'Article,base_price\nCUP,300\n';
    const { body } = await send('catalog?map=Article%3Dsku', file).expect(200);
    expect(body.data.failed[0].message).toMatch(
      /by more than 50 %: if it is correct, add max_change or force/,
    );
    await send('catalog?map=Article%3Dsku&max_change=250', file).expect(200);
    expect(await prices()).toMatchObject({ CUP: '300.00' });
    const from = await send(
      'prices?from=2099-01-01&to=2099-01-31',
      'plan,sku,wholesale_price\nGOLD,CUP,250\n',
    );
    expect(from.body.data.scheduled).toMatchObject({
      from: '2098-12-31T18:30:00.000Z',
      to: '2099-01-31T18:30:00.000Z',
    });
    const rates = await send('rates?from=2099-01-01', 'sku,gst_rate\nCUP,5\n').expect(200);
    expect(rates.body.data).toMatchObject({ failed: [], scheduled: { from: '2098-12-31T18:30:00.000Z' } });
  });

  it('refuses a whole file with one bad row, if asked', async () => {
    const path = 'catalog?set=base_price%3D290&all_or_nothing=true&overwrite=true';
    const { body } = await send(path, 'sku\nCUP\nPOT\nPAN\n').expect(422);
    expect(body).toMatchObject({
      success: false,
      code: 'import_refused',
      message: 'Nothing was written, because 2 rows are refused.',
      refused: 2,
      errors: [
        { line: 3, field: 'name', code: 'row_refused', message: expect.any(String) as string },
        { line: 3, field: 'delivery_charge' },
        { line: 4 },
        { line: 4 },
      ],
    });
    expect(await prices()).toMatchObject({ CUP: '300.00' });
    const trial = await send(`${path}&dry_run=true&failed_file=true`, 'sku\nCUP\nPOT\n').expect(200);
    expect(trial.body.data).toMatchObject({
      refused: 1,
      updated: 0,
      failed_file: expect.stringContaining('\nPOT,') as string,
    });
    await send(path, 'sku\nCUP\n').expect(200);
    expect(await prices()).toMatchObject({ CUP: '290.00' });
  });

  it('lists the first 1,000 reasons, and has all in the file of refused rows', async () => {
    const file = `sku,quantity\n${'MUG,x\n'.repeat(1_001)}`;
    const { body } = await send('stock?failed_file=true', file).expect(200);
    expect(body.data).toMatchObject({ updated: 0, refused: 1_001 });
    expect(body.data.failed).toHaveLength(1_000);
    expect(body.data.failed_file.trim().split('\r\n')).toHaveLength(1_002);
    const { body: refused } = await send('stock?all_or_nothing=true', file).expect(422);
    expect(refused.refused).toBe(1_001);
    expect(refused.errors).toHaveLength(1_000);
  });

  it('imports a workbook by its bytes', async () => {
    await send(
      'stock',
      workbook([
        ['sku', 'quantity'],
        ['MUG', '12'],
      ]),
    ).expect(200);
    expect((await erp.get('exports/stock?excel=true').expect(200)).text).toBe(
      '\uFEFFsku,variation,quantity,was\r\nMUG,,12,12\r\nCUP,,7,7\r\n',
    );
  });

  it('changes nothing if the upload breaks off', async () => {
    const { port } = test.app.getHttpServer().address() as { port: number };
    const socket = createConnection(port, '127.0.0.1');
    socket.write(
      `POST /api/admin/imports/stock HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${erp.key}\r\n` +
        'Content-Type: text/csv\r\nContent-Length: 1000\r\n\r\nsku,quantity\nMUG,99\n',
    );
    socket.end();
    socket.resume();
    await once(socket, 'close');
    expect((await erp.get('exports/stock')).text).toMatch(/MUG,,12,12/);
  });

  it.each([
    ['catalog', 'catalog'],
    ['stock', 'stock'],
    ['prices', 'prices'],
    ['orders', 'orders?status=shipped&from=2026-01-01'],
    ['sales', 'sales?client=Store'],
    ['invoices', 'invoices?month=2026-11'],
  ])('exports %s as CSV and as JSON, to staff', async (_, path) => {
    const csv = await erp.get(`exports/${path}`).expect(200);
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', vary: 'Accept' });
    const json = await erp.get(`exports/${path}`).set('Accept', 'application/json').expect(200);
    expect(json.body.data).toHaveLength(csv.text.trim().split('\r\n').length - 1);
    await packer.get(`exports/${path}`).expect(403);
  });

  it.each([
    ['catalog', 'staff', 'sku,delivery_charge\n', 'product,tracking\n'],
    ['stock', 'staff', 'sku,quantity\n', 'sku\n'],
    ['prices', 'staff', 'plan,sku,wholesale_price\n', 'sku\n'],
    ['base-prices', 'staff', 'sku,base_price\n', 'sku\n'],
    ['returns', 'staff', 'order_number,lines,reason\n', 'order_number\n'],
    ['registrations', 'staff', '[{"irn":"x","cancelled_at":"2026-01-01"}]', 'sku\n'],
    ['shipments', 'packer', 'order_number,courier\n', 'sku\n'],
    ['shipment-corrections', 'packer', 'order_number,courier\n', 'sku\n'],
    ['deliveries', 'packer', 'order_number\n', 'sku\n'],
    ['e-way-bills', 'packer', 'number,vehicle_number\n', 'sku\n'],
  ])('imports %s for the role %s', async (kind, role, good, bad) => {
    await send(kind, good, packer).expect(role === 'packer' ? 200 : 403);
    const { body } = await send(kind, good).expect(200);
    expect(body.data).toMatchObject({ created: 0, updated: 0 });
    expect((await send(kind, bad).expect(422)).body.code).toBe('wrong_columns');
  });

  it.each([
    ['imports/catalog?forse=1', [{ field: 'forse', code: 'unknown_parameter' }]],
    [
      'imports/catalog?max_change=x&set=a&new_delivery_charge=-',
      [{ field: 'max_change' }, { field: 'new_delivery_charge' }, { field: 'set' }],
    ],
    ['imports/rates?from=soon', [{ field: 'from', code: 'malformed' }]],
    ['imports/rates', undefined],
  ])('refuses %s', async (path, errors) => {
    const { body } = await erp.post(path).set('Content-Type', 'text/csv').send('sku,gst_rate\n').expect(422);
    expect(body.errors).toEqual(errors?.map((error) => expect.objectContaining(error) as unknown));
  });

  it('breaks the connection if an export fails in the middle', async () => {
    const files = test.app.get(CatalogFiles, { strict: false });
    const rows = files.export.bind(files);
    files.export = async function* () {
      for await (const row of rows()) for (let count = 0; count < 500; count++) yield row;
      throw new Error('The database is gone.');
    };
    await expect(erp.get('exports/catalog')).rejects.toThrow(/aborted/);
    files.export = rows;
    await erp.get('exports/catalog').expect(200);
  });

  it('refuses a file of more than 100 MB before it arrives', async () => {
    const sent = erp.post('imports/stock').set('Content-Type', 'text/csv').set('Content-Length', '100000001');
    expect((await sent.expect(413)).body.code).toBe('body_too_large');
  });

  it('refuses counts of a time that would overwrite what came later', async () => {
    const path = 'imports/stock?overwrite=true&counted_at=2026-11-01';
    const { body } = await erp.post(path).set('Content-Type', 'text/csv').send('sku,quantity\n').expect(422);
    expect(body.errors).toMatchObject([{ field: 'counted_at' }]);
  });

  it('refuses a form and a month that is missing', async () => {
    await erp.post('imports/stock').attach('file', Buffer.from('sku,quantity\n'), 'a.csv').expect(415);
    expect((await erp.get('exports/invoices').expect(422)).body.errors).toMatchObject([{ field: 'month' }]);
  });
});
