import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices } from '../support/operator-services.js';
import { answerOf, runCommand, runCommandOn } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

const COLUMNS = [
  'sku',
  'name',
  'description',
  'category',
  'images',
  'base_price',
  'delivery_charge',
  'active',
  'variations',
];

interface Report {
  created: number;
  updated: number;
  unchanged: number;
  failed: { line: number; column: string; message: string }[];
}

describe('what spreadsheets write', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.url));
  beforeEach(() => service.fixtures.clear());

  const run = (...args: string[]) => runCommand(service.database.url, ...args);
  const report = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) as Report;
  const imported = async (content: string | Buffer, ...options: string[]) =>
    report('catalog', 'import', await operator.file(content), ...options);
  const table = (separator: string, ...rows: string[][]) =>
    [COLUMNS, ...rows].map((row) => row.join(separator)).join('\r\n');
  const row = (sku: string, price: string) => [sku, 'Café ₹', '', '', '', price, '0', 'true', ''];
  const products = async () =>
    (
      await service.pool.query<{ sku: string; name: string; base_price: string }>(
        'SELECT sku, name, base_price FROM products ORDER BY id',
      )
    ).rows;

  it('may have decimal commas where no comma separates the cells, if they can be nothing else', async () => {
    const { created, failed } = await imported(
      table(';', row('A', '1234,50'), row('B', '1.234,5'), row('C', '1,234')),
    );
    expect([created, failed]).toEqual([
      2,
      [{ line: 4, column: 'base_price', message: 'must be a plain number such as 12.50 ("1,234")' }],
    ]);
    expect((await products()).map(({ base_price }) => base_price)).toEqual(['1234.50', '1234.50']);
    expect(await imported(table(',', row('D', '"1234,50"')))).toMatchObject({
      created: 0,
      failed: [{ line: 2 }],
    });
  });

  it('writes refused rows with their own separator, so that commas stay decimal', async () => {
    const failed = path.join(operator.directory, 'failed.csv');
    await imported(
      table(';', [...row('A', '1234,50').slice(0, 1), '', ...row('A', '1234,50').slice(2)]),
      '--failed',
      failed,
    );
    const mended = (await readFile(failed, 'utf8')).replace('A;;', 'A;Named;');
    expect(await imported(mended)).toMatchObject({ created: 1, failed: [] });
    expect((await products())[0]).toMatchObject({ name: 'Named', base_price: '1234.50' });
  });

  it('may come in on standard input', async () => {
    expect(await importOf(table(',', row('A', '7')))).toMatchObject({ created: 1, failed: [] });
  });

  it('may be "Unicode text": UTF-16 with tabs', async () => {
    const text = table('\t', row('A', '12,5'));
    expect(await imported(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toMatchObject({ created: 1, failed: [] });
    expect(await products()).toEqual([{ sku: 'A', name: 'Café ₹', base_price: '12.50' }]);
  });

  it('is refused in Windows-1252 with the menu entry that mends it', async () => {
    const file = await operator.file(Buffer.from(table(',', row('A', '1')).replace('₹', 'é'), 'latin1'));
    const { exitCode, stderr } = await run('catalog', 'import', file);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('"CSV UTF-8 (Comma delimited)"')]);
  });

  it.each([[['catalog', 'export']], [['stock', 'export']], [['price', 'export']], [['order', 'export']]])(
    'marks %j as UTF-8 by a byte order mark, on request',
    async (command) => {
      const plain = (await run(...command)).stdout;
      const output = path.join(operator.directory, 'excel.csv');
      await run(...command, '--excel', '--output', output);
      expect(await readFile(output, 'utf8')).toBe(`\uFEFF${plain}`);
    },
  );

  it('can be an export, in which nothing is run as a formula, and all comes back as it was', async () => {
    const names = [
      '=SUM(A1)',
      "'=SUM(A1)",
      '+1 for all',
      '-5 % off',
      '@home',
      '＝1+1',
      '+91 98765 43210',
      "'tis",
    ];
    await service.fixtures.products(
      names.map((name, index) => ({ sku: `P${index}`, name, description: name })),
    );
    await service.fixtures.product({ sku: '=A2' });
    const output = path.join(operator.directory, 'export.csv');
    await answerOf(service.database.url, 'catalog', 'export', '--output', output);
    const cells = (await readFile(output, 'utf8')).split(/,|\r\n/);
    expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual(['+91 98765 43210', '+91 98765 43210']);
    const unchanged = names.length + 1;
    expect(await report('catalog', 'import', output)).toMatchObject({ updated: 0, unchanged, failed: [] });
    await service.fixtures.clear();
    expect(await report('catalog', 'import', output, '--force')).toMatchObject({ created: unchanged });
    expect((await products()).map(({ name }) => name)).toEqual([...names, 'Product =A2']);
  });

  it('has refused rows made harmless, which are read as they were', async () => {
    const failed = path.join(operator.directory, 'harmless.csv');
    const hostile = ['A', '=HYPERLINK(1)', "'@mine", '', '', 'dear', '0', 'true', ''];
    await imported(table(';', hostile), '--failed', failed);
    const kept = await readFile(failed, 'utf8');
    expect(kept).toContain("A;'=HYPERLINK(1);'@mine;");
    await imported(kept.replace('dear', '1'));
    const { rows } = await service.pool.query('SELECT name, description FROM products');
    expect(rows).toEqual([{ name: '=HYPERLINK(1)', description: '@mine' }]);
  });

  const importOf = async (file: string, ...args: string[]) => {
    const requested = ['catalog', 'import', '-', '--json', ...args];
    const { exitCode, stdout, stderr } = await runCommandOn(file, service.database.url, ...requested);
    return { exitCode, ...(JSON.parse(stdout || stderr) as Report & { code: string; message: string }) };
  };
  const manyRows = (heading: string) =>
    `${heading}\n${Array.from({ length: 20_000 }, (_, index) => `M${index},Mug,${index + 1},0\n`).join('')}`;

  it.each([
    ['sku,name,bse_price,delivery_charge', 'There is no column "bse_price": did you mean base_price? Rename'],
    ['sku,name,Price,delivery_charge', 'There is no column "Price": did you mean base_price? Rename'],
    [
      'sku,name,MRP,delivery_charge',
      'The heading lacks base_price, which new products need. It has a column that is not read: MRP.',
    ],
  ])('is refused once for a wrong heading over 20,000 rows: %s', async (heading, message) => {
    const refused = await importOf(manyRows(heading));
    expect(refused).toMatchObject({ exitCode: 1, code: 'wrong_columns' });
    expect(refused.message).toContain(message);
    expect(await service.pool.query('SELECT FROM products')).toMatchObject({ rowCount: 0 });
  });

  it('has its columns read regardless of case and blanks, and one under the name that the command gives', async () => {
    expect(
      await importOf('SKU , Name,MRP,Delivery Charge,ACTIVE\nA,Mug,10,2,\n', '--map', 'mrp=base_price'),
    ).toMatchObject({ exitCode: 0, created: 1, failed: [] });
    const { rows } = await service.pool.query('SELECT base_price, delivery_charge, active FROM products');
    expect(rows).toEqual([{ base_price: '10.00', delivery_charge: '2.00', active: true }]);

    for (const [map, message] of [
      ['mrp=price', 'There is no column "price". The columns are sku, name, '],
      ['cost=base_price', 'The heading has no "cost". It is: sku, MRP.'],
    ] as const)
      expect(await importOf('sku,MRP\nA,11\n', '--map', map)).toMatchObject({
        exitCode: 1,
        code: 'wrong_columns',
        message: expect.stringContaining(message) as string,
      });
    for (const [option, text, example] of [
      ['--map', 'AWB', 'AWB=tracking_number'],
      ['--map', '=base_price', 'AWB=tracking_number'],
      ['--set', 'courier=', 'courier=BlueDart'],
    ] as const)
      expect(await importOf('sku,MRP\nA,11\n', option, text)).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`It must look like "${example}".`) as string,
      });
    expect(
      await importOf('SKU\nA\n', '--set', 'base_price=11', '--set', 'Category=Mugs = Cups'),
    ).toMatchObject({
      updated: 1,
    });
    expect(await service.pool.query('SELECT base_price, category FROM products')).toMatchObject({
      rows: [{ base_price: '11.00', category: 'Mugs = Cups' }],
    });
  });

  it('says yes and no in several ways; nothing is yes for a new product, and changes no other', async () => {
    const heading = 'sku,name,base_price,delivery_charge,active\n';
    const active = async () =>
      (await service.pool.query('SELECT active FROM products ORDER BY sku')).rows.map(
        (found) => (found as { active: boolean }).active,
      );
    const rows = (cells: string[]) => cells.map((cell, index) => `A${index},Mug,10,0,${cell}\n`).join('');
    expect(await importOf(heading + rows(['yes', 'No', '1', '0', 'TRUE', 'false', '']))).toMatchObject({
      created: 7,
      failed: [],
    });
    expect(await active()).toEqual([true, false, true, false, true, false, true]);
    expect(await importOf(heading + rows(['', '', '', '', '', '', '']))).toMatchObject({ unchanged: 7 });
    expect(await active()).toEqual([true, false, true, false, true, false, true]);
    expect((await importOf(heading + rows(['perhaps']))).failed).toEqual([
      { line: 2, column: 'active', message: 'must be yes or no ("perhaps")' },
    ]);
  });

  it('has a refused cell quoted, a long one only in part, in the file of refused rows too', async () => {
    const failed = path.join(operator.directory, 'failed.csv');
    const sku = 'S'.repeat(70);
    await importOf(
      `sku,name,base_price,delivery_charge\n${sku},Mug,1e2,0\nB,"say ""hi""\tnow",1,0\n`,
      '--failed',
      failed,
    );
    const [, first, second] = (await readFile(failed, 'utf8')).split('\r\n');
    expect(first).toContain(`(""${'S'.repeat(60)}…"")`);
    expect(first).toContain('base_price must be a plain number such as 12.50 (""1e2"")');
    expect(second).toContain(String.raw`(""say \""hi\""\tnow"")`);
  });
});
