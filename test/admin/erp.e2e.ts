import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminApi } from '../support/admin-api.js';
import { runNode } from '../support/run-node.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { setUpTestApp } from '../support/test-app.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/erp.mjs', import.meta.url));

describe('examples/erp.mjs', () => {
  const test = setUpTestApp();

  it('sends the stock, ships what is paid, and does nothing twice', async () => {
    const { sku } = await test.fixtures.product({ stock: 1 });
    const store = await test.fixtures.store();
    const erp = await adminApi(test, 'staff');
    const number = await test.place(store, [{ sku, quantity: 1 }]);
    await erp.post(`orders/${number}/pay`, { method: 'Cash' }).expect(200);
    const directory = await mkdtemp(path.join(os.tmpdir(), 'wholesale-erp-'));
    atSuiteEnd(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'stock.csv');
    await writeFile(file, `sku,variation,quantity\n${sku},,40\nNOT-THERE,,1\n`);
    const run = () => runNode([EXAMPLE, file], { WHOLESALE_URL: test.url, WHOLESALE_KEY: erp.key });
    const first = await run();
    expect([first.exitCode, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('Stock: 1 changed, 0 unchanged, 1 refused.\n  line 3: ');
    expect(first.stdout).toContain(`Shipped ${number}: 1 units to Bengaluru, BD-${number.slice(-11)}.`);
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    expect(body).toMatchObject({ status: 'shipped', tracking: { courier: 'BlueDart' } });
    const again = await run();
    expect(again.exitCode).toBe(0);
    expect(again.stdout).not.toContain('Shipped');
  });

  it('says what it lacks', async () => {
    expect(await runNode([EXAMPLE])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('WHOLESALE_KEY') as string,
    });
    const wrong = { WHOLESALE_URL: test.url, WHOLESALE_KEY: `whk_${'a'.repeat(40)}` };
    const { exitCode, stderr } = await runNode([EXAMPLE], wrong);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('401 key_invalid')]);
  });
});
