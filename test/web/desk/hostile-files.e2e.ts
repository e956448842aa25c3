import { mock } from 'node:test';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { WorkerThreads } from '../../../src/platform/worker-threads/worker-threads.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { type TaskOptions, shared } from '../../support/heavy-tasks.js';
import { hostileFiles } from '../../support/hostile-files.js';
import { headline, readable } from '../../support/page-text.js';
import { type SignedIn, signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';
import { workbook } from '../../support/xlsx.js';

const TASKS = import.meta.resolve('../../support/heavy-tasks.js');
const HEADING = ['sku', 'name', 'base_price', 'delivery_charge'];

describe('A file that asks for too much work', () => {
  const test = setUpTestApp();
  let staff: SignedIn<DeskPerson>;
  let store: Store;

  beforeAll(async () => {
    staff = await signInAtDesk(test, 'staff');
    store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'MUG', stock: 5 });
  });

  const settled = () => test.app.get(ImportRuns).settled();

  const upload = (name: string, content: Buffer) =>
    uploadAtDesk(test.url, staff.cookie, { kind: 'catalog', name, content });

  /** The next workbook is not read: its real thread does this. */
  const onceInstead = (facts: TaskOptions) => {
    const heavy = test.app.get(WorkerThreads);
    const run = heavy.run.bind(heavy);
    const other: typeof run = (account, work) => run(account, { ...work, module: TASKS, facts });
    const mocked = mock.method(heavy, 'run');
    mocked.mock.mockImplementationOnce(other);
    return mocked;
  };

  // The same files are much larger in the suite about memory.
  it.each(hostileFiles(2_000_000))('is refused: %s', async (_, make, reason) => {
    const path = await upload('bad.xlsx', make());
    // Other requests are answered meanwhile.
    await test.get(store, '/api/products/MUG/stock').expect(200);
    await settled();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('bad.xlsx could not be imported');
    expect(readable(text)).toMatch(reason);

    const next = await upload('good.xlsx', workbook([HEADING, ['PAN', 'Pan', '90', '10']]));
    await settled();
    expect(headline((await staff.get(next)).text)).toBe('1 row would be written');
  });

  it('is refused if its thread has no memory left', async () => {
    const starving = onceInstead({ ends: 'without memory' });
    const content = workbook([HEADING, ['PAN', 'Pan', '90', '10']]);
    const path = await upload('large.xlsx', content);
    await settled();
    expect(starving.mock.callCount()).toBe(1);
    starving.mock.restore();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('large.xlsx could not be imported');
    expect(readable(text)).toContain('it needs too much memory; save it as CSV UTF-8');
    await staff.post(`${path}/check`);
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('1 row would be written');
  });

  it('delays a workbook of another kind, which a person may cancel before its turn', async () => {
    const gate = shared();
    const held = onceInstead({ gate });
    const first = await upload('first.xlsx', workbook([['sku']]));
    await eventually(() => held.mock.callCount() === 1);
    const content = workbook([
      ['sku', 'variation', 'quantity'],
      ['MUG', '', '7'],
    ]);
    const second = await uploadAtDesk(test.url, staff.cookie, {
      kind: 'stock',
      name: 'second.xlsx',
      content,
    });
    expect(headline((await staff.get(second)).text)).toBe('Checking second.xlsx');
    expect((await staff.post(`${second}/cancel`, { checks: '1' })).status).toBe(303);
    expect(headline((await staff.get(second)).text)).toBe('The check of second.xlsx was cancelled');
    const third = await uploadAtDesk(test.url, staff.cookie, { kind: 'stock', name: 'third.xlsx', content });
    expect((await staff.post(`${first}/cancel`, { checks: '1' })).status).toBe(303);
    await settled();
    expect(Atomics.load(gate, 0)).toBe(0);
    expect(headline((await staff.get(third)).text)).toBe('1 row would be written');
    expect(headline((await staff.get(second)).text)).toBe('The check of second.xlsx was cancelled');
    held.mock.restore();
  });

  it('has at most 10 million rows', async () => {
    const records = [1, 10_000_001].map((line) => ({ line, cells: HEADING }));
    const source = {
      async *batches() {
        yield { records, progress: 1 };
      },
    };
    const files = test.app.get(CatalogFiles);
    await expect(files.import(source, { actor: 'test' })).rejects.toThrow('more than 10000000 rows');
  });

  it('is not one with empty rows and cells at its end, a wide heading, or long texts that no row needs', async () => {
    const blank = `${','.repeat(16_000)}\n`;
    const head = 'sku,name,base_price,delivery_charge';
    const lines = [`${head}${blank}`, `PAN,Pan,90,10${blank}`, blank.repeat(200), '\n'.repeat(100_000)];
    const path = await upload('spread.csv', Buffer.from(lines.join('')));
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('1 row would be written');

    const long = { xml: `<c t="inlineStr"><is><t>${'x'.repeat(250_000)}</t></is></c>` };
    const rows = [HEADING, ['PAN', 'Pan', '90', '10'], ['POT', long, '90', '10'], ['JUG', 'Jug', '90', '10']];
    const other = await upload('long.xlsx', workbook(rows));
    await settled();
    const { text } = await staff.get(other);
    expect(headline(text)).toBe('2 rows would be written, 1 row refused');
    expect(readable(text)).toContain('Row 3 is longer than 200000 characters');
  });
});
