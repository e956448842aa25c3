import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SYNTHETIC_COLUMNS } from '../../../src/demo/synthetic-load.service.js';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { WorkerThreads } from '../../../src/platform/worker-threads/worker-threads.js';
import { xlsxSource } from '../../../src/shared/imports/xlsx/xlsx-source.js';
import { OperatorServices } from '../../support/operator-services.js';
import { answerOf, runCommand, runCommandOn } from '../../support/run-command.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';
import { workbook, zipOf } from '../../support/xlsx.js';

const HEADING = ['sku', 'name', 'base_price', 'delivery_charge', 'active'];
const number = (value: string | number, style = 0) => ({ xml: `<c s="${style}"><v>${value}</v></c>` });

describe('a workbook', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.url));
  beforeEach(() => service.fixtures.clear());

  const imported = async (file: Buffer, ...options: string[]) => {
    const run = await runCommand(
      service.database.url,
      'catalog',
      'import',
      await operator.file(file),
      '--json',
      ...options,
    );
    if (run.stderr !== '') throw new Error(run.stderr);
    return JSON.parse(run.stdout) as {
      created: number;
      failed: { line: number; column: string; message: string }[];
    };
  };
  const refusal = async (file: Buffer) =>
    (await runCommand(service.database.url, 'catalog', 'import', await operator.file(file))).stderr;
  const products = async () =>
    (await service.pool.query('SELECT sku, name, base_price, active FROM products ORDER BY id')).rows;

  it('is read as people see it: texts, numbers with all digits, formulas by their results', async () => {
    const file = workbook(
      [
        HEADING,
        ['00001', 'Café ₹ 😀 & <co>', number(1234.5), number(0), { xml: '<c t="b"><v>1</v></c>' }],
        [],
        [
          number('8901234567890'),
          { xml: '<c t="str"><f>A1&amp;"x"</f><v>Made</v></c>' },
          number('19.989999999999998', 1),
          number(0),
          'no',
        ],
        [
          number(7, 2),
          {
            xml: '<c t="inlineStr"><is><r><t>In</t></r><r><t xml:space="preserve"> line</t></r><rPh><t>sound</t></rPh></is></c>',
          },
          number(3),
          number(0),
          { xml: '<c t="b"><v>0</v></c>' },
        ],
      ],
      { formats: ['#,##0.00', '00000'], hiddenFirst: true },
    );
    expect(await imported(file)).toMatchObject({ created: 3, failed: [] });
    expect(await products()).toEqual([
      { sku: '00001', name: 'Café ₹ 😀 & <co>', base_price: '1234.50', active: true },
      { sku: '8901234567890', name: 'Made', base_price: '19.99', active: false },
      { sku: '00007', name: 'In line', base_price: '3.00', active: false },
    ]);
  });

  it('names each ambiguous cell by its row and column', async () => {
    const row = (sku: string | { xml: string }, price: string | { xml: string } = number(1)) => [
      sku,
      'N',
      price,
      number(0),
      'yes',
    ];
    const file = workbook(
      [
        HEADING,
        row(number(46_346, 1)),
        row(number('1234567890123456')),
        row({ xml: '<c t="e"><v>#REF!</v></c>' }),
        row('A', { xml: '<c><f>1/0</f></c>' }),
        row('B', number(0.5, 2)),
        row('C'),
      ],
      { formats: ['dd/mm/yyyy', '0%'] },
    );
    const { created, failed } = await imported(file, '--force');
    expect(created).toBe(1);
    expect(
      failed
        .filter(
          ({ message }) =>
            message !== 'must be a plain number such as 12.50' && message !== 'must not be empty',
        )
        .map(({ line, column, message }) => [line, column, message.slice(0, 20)]),
    ).toEqual([
      [2, 'sku', 'is a date for the sp'],
      [3, 'sku', 'has more than 15 dig'],
      [4, 'sku', 'holds the error #REF'],
      [5, 'base_price', 'is a formula whose r'],
      [6, 'base_price', 'is shown by the form'],
    ]);
  });

  it('may hold a date where a time is asked for', async () => {
    const heading = ['order_number', 'courier', 'tracking_number', 'shipped_at'];
    const file = workbook([heading, ['WO-20260131-7K3QZ-9M2XA', 'C', 'T1', number(46_346, 1)]], {
      formats: ['d/m/yy'],
    });
    const { stdout } = await runCommand(
      service.database.url,
      'shipment',
      'import',
      await operator.file(file),
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      failed: [{ message: 'there is no order WO-20260131-7K3QZ-9M2XA' }],
    });
  });

  it.each([
    [
      'is no archive',
      Buffer.from('PK\x03\x04 and then nothing of the kind'),
      'cannot be read as a workbook (.xlsx): it is no workbook, or was cut off; save it again as .xlsx.',
    ],
    ['has no sheet', zipOf([{ name: 'readme.txt', content: 'hello' }]), 'cannot be read as a workbook'],
    [
      'is an old or a locked one',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]),
      'old workbook (.xls), or has a password',
    ],
    [
      'breaks off',
      workbook([HEADING], { sheet: '<worksheet><sheetData><row r="1">' }),
      'cannot be read as a workbook',
    ],
  ])('that %s is refused as a whole', async (_, file, message) => {
    expect(await refusal(file)).toContain(message);
  });

  it('has number formats of at most 255 characters', async () => {
    const refused = await refusal(workbook([HEADING], { formats: ['['.repeat(60_000)] }));
    expect(refused).toContain('has a number format of more than 255 characters');
  });

  it('expands no entities', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>`;
    expect(await refusal(workbook([HEADING], { sheet: bomb }))).toContain('document type');
    const undeclared =
      '<worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>';
    expect(await refusal(workbook([HEADING], { sheet: undeclared }))).toContain(
      'cannot be read as a workbook',
    );
  });

  it('is refused by its declared size if it is a bomb, and is never read beyond that size', async () => {
    const parts = (claimedSize: number) =>
      zipOf([
        {
          name: 'xl/_rels/workbook.xml.rels',
          content: `<Relationships>${' '.repeat(1_000_000)}</Relationships>`,
          claimedSize,
        },
      ]);
    expect(await refusal(parts(17_000_000))).toContain('is larger than 16 MB');
    expect(await refusal(parts(100))).toContain('too many bytes');
  });

  it('of many rows is in memory a batch at a time, and names wide rows', async () => {
    const limit = 25_000;
    const rows = function* () {
      yield `<row r="1"><c r="A1" t="inlineStr"><is><t>sku</t></is></c></row>`;
      for (let row = 2; row <= limit; row++) yield `<row r="${row}"><c r="A${row}"><v>${row}</v></c></row>`;
      yield `<row r="${limit + 1}"><c r="XFD${limit + 1}"><v>1</v></c></row>`;
    };
    const sheet = `<worksheet><sheetData>${[...rows()].join('')}</sheetData></worksheet>`;
    const file = await operator.file(workbook([], { sheet }));
    const heavy = operator.app.get(WorkerThreads);
    let largest = 0;
    let last: unknown;
    for await (const { records } of xlsxSource(file, heavy).batches()) {
      largest = Math.max(largest, records.length);
      last = records.at(-1) ?? last;
    }
    expect(largest).toBeLessThan(10_000);
    expect(last).toMatchObject({ line: limit + 1 });
    const report = await operator.app.get(CatalogFiles).import(xlsxSource(file, heavy), { actor: 'test' });
    expect(report).toMatchObject({ created: 0, failedCount: limit });
    for await (const { line, message } of report.failed())
      if (line === limit + 1) expect(message).toBe('has more than 1000 columns');
    await report.close();
  });

  afterAll(endEverything);
});

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
    [SYNTHETIC_COLUMNS, ...rows].map((row) => row.join(separator)).join('\r\n');
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
