import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createAdminDocument } from '../../src/api/docs/admin-document.js';
import { COMMANDS_FILE, commandsIn } from '../../src/cli/api/api-command.js';
import { plainTime } from '../../src/platform/time/time.js';
import { adminApi } from '../support/admin-api.js';
import type { Store } from '../support/fixtures.js';
import { runIn } from '../support/run-command.js';
import { StubServer } from '../support/stub-server.js';
import { setUpTestApp } from '../support/test-app.js';

describe('The commands of the admin API', () => {
  const test = setUpTestApp();
  let env: Record<string, string>;
  let folder: string;
  let store: Store;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'wholesale-cli-'));
    const { key } = await adminApi(test);
    env = { WHOLESALE_URL: test.url, WHOLESALE_KEY: key };
    store = await test.fixtures.store({ name: 'Mango' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '230.00', stock: 5 },
      { sku: 'CUP', name: 'Cup', basePrice: '100.00', stock: 7 },
    ]);
  });

  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => runIn('', env, args);
  const file = (name: string) => path.join(folder, name);
  const data = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as unknown;
  };

  it('are those of its document (WRITE_COMMANDS=1 writes them anew)', async () => {
    const commands = commandsIn(createAdminDocument(test.app) as never);
    const lines = commands.map((command) => `${JSON.stringify(command)}\n`).join('');
    if (process.env.WRITE_COMMANDS === '1') await writeFile(COMMANDS_FILE, lines);
    expect((await readFile(COMMANDS_FILE, 'utf8')).split('\n')).toEqual(lines.split('\n'));
  });

  it('lead an order from its payment to its delivery', async () => {
    const number = await test.place(store, [{ sku: 'MUG', quantity: 3 }]);
    expect(await data('order', 'pay', number, '--method', 'upi', '--reference', '42')).toMatchObject({
      status: 'pending',
    });
    const part = ['order', 'ship', number, '--courier', 'Delhivery', '--line', '1=2'];
    const trial = await run(...part, '--dry-run');
    expect(trial.stdout).toMatch(/^Nothing is done yet\. It would be:\n/);
    expect(await data(...part)).toMatchObject({ parcels: [{ lines: [{ line: 1, quantity: 2 }] }] });
    expect(await data('order', 'ship', number, '--courier', 'Delhivery')).toMatchObject({
      status: 'shipped',
    });
    expect((await run('order', 'deliver', number)).stdout).toMatch(/^Status: delivered$/m);
    expect(await data('order', 'list', '--status', 'delivered')).toMatchObject([{ order_number: number }]);
  });

  it('print the warnings of an answer first', async () => {
    const number = await test.place(await test.fixtures.store(), [{ sku: 'CUP', quantity: 1 }]);
    await data('order', 'pay', number, '--method', 'cash');
    await data('packing', 'new');
    const { stdout } = await run('order', 'cancel', number, '--reason', 'unwanted');
    expect(stdout).toMatch(/^Packing list \d+ still has the order: do not pack it\.\nOrder number: /);
    expect(stdout).not.toMatch(/^Warnings/m);
  });

  it('take arguments, negative amounts, values in the middle and texts that clear', async () => {
    expect(await data('wallet', 'adjust', 'Mango', '250', '--reason', 'a gift')).toMatchObject({
      balance: 250,
    });
    expect(await data('wallet', 'adjust', 'Mango', '-12.50', '--reason', 'too much')).toMatchObject({
      balance: 237.5,
    });
    expect(await data('stock', 'receive', 'CUP', '3')).toMatchObject({ on_hand: 10 });
    expect(await data('stock', 'count', 'CUP', '', '8')).toMatchObject({ on_hand: 8 });
    const change = ['client', 'set', 'Mango'];
    expect(await data(...change, '--billing-address', '4, Residency Road')).toMatchObject({
      billing_address: '4, Residency Road',
    });
    expect(await data(...change, '--billing-address', '')).toMatchObject({ billing_address: null });
    expect(await data('product', 'set', 'CUP', '--no-active')).toMatchObject({ product: { active: false } });
  });

  it('show the first rows of a list and say that there are more, or all of them in pages', async () => {
    for (const quantity of ['1', '1', '1']) await data('stock', 'receive', 'MUG', quantity);
    const first = await run('stock', 'history', 'MUG', '--limit', '2');
    expect([first.exitCode, first.stdout.trim().split('\n').length, first.stderr]).toEqual([
      0,
      3,
      'There are more. --limit <count> shows more of them, --all shows all.\n',
    ]);
    const all = (await data('stock', 'history', 'MUG', '--all')) as unknown[];
    expect(all.length).toBeGreaterThan(2);
    expect((await run('transfer', 'list')).stdout).toBe('Nothing.\n');
  });

  it('send a file, write its refused rows to another, and end with 1 if there are any', async () => {
    await writeFile(file('catalog.csv'), 'sku,base_price\nMUG,240\nCUP,x\n');
    const sent = await run('catalog', 'import', file('catalog.csv'), '--failed', file('bad.csv'));
    expect([sent.exitCode, sent.stdout]).toEqual([1, expect.stringContaining('must be a plain number')]);
    expect(await readFile(file('bad.csv'), 'utf8')).toMatch(/^sku,base_price,reason\r\nCUP,x,/);
    const piped = await runIn('sku,base_price\nMUG,250\n', env, ['catalog', 'import', '-']);
    expect([piped.exitCode, piped.stdout]).toEqual([0, expect.stringContaining('Updated: 1')]);
    await writeFile(file('catalog.csv'), 'sku,base_price\nMUG,260\nCUP,x\n');
    const none = await run('catalog', 'import', file('catalog.csv'), '--all-or-nothing');
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringMatching(/^Row 3: base_price must be/m)]);
    const missing = await run('catalog', 'import', file('none.csv'));
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
  });

  it('write the files of a list that was just made, once they can be written', async () => {
    const number = await test.place(store, [{ sku: 'MUG', quantity: 1 }]);
    await data('order', 'pay', number, '--method', 'upi', '--reference', '43');
    const make = ['packing', 'new', '--output', file('list.csv'), '--pdf'];
    const lists = await data('packing', 'list');
    const refused = await run(...make, path.join(folder, 'none', 'slips.pdf'));
    expect([refused.exitCode, await data('packing', 'list')]).toEqual([1, lists]);
    expect((await run(...make, file('list.csv'))).stderr).toMatch(/^Two files cannot be one/);
    const { packing_list: list } = (await data(...make, file('slips.pdf'))) as { packing_list: number };
    expect(await readFile(file('list.csv'), 'utf8')).toContain(number);
    expect(await readFile(file('slips.pdf'), 'latin1')).toMatch(/^%PDF/);
    await rm(file('list.csv'));
    expect(await data(...make, file('slips.pdf'))).toMatchObject({ packing_list: null, orders: 0 });
    expect(await readdir(folder)).not.toContain('list.csv');
    const full = await run('packing', 'show', String(list), '--output', '/dev/full');
    expect([full.exitCode, full.stderr]).toEqual([1, expect.stringContaining('/dev/full cannot be written')]);
  });

  it('write a folder of the files in a ZIP, or the ZIP', async () => {
    const report = ['report', 'gst', '--month', '2026-10', '--output'];
    const gst = async (target: string) => (await run(...report, file(target))).exitCode;
    expect([await gst('october'), await gst('october.zip')]).toEqual([0, 0]);
    const names = await readdir(file('october'));
    expect(names).toContain('b2b.csv');
    expect(await readFile(file('october.zip'), 'latin1')).toMatch(/^PK/);
    const refused = await run(...report, path.join(file('october.zip'), 'x'));
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('cannot be created')]);
    const { files } = (await data('report', 'gst', '--month', '2026-10')) as { files: object };
    expect((await run('report', 'gst', '--month', '2026-10')).stdout).toMatch(/^b2b +0$/m);
    expect(names.length).toBeGreaterThanOrEqual(Object.keys(files).length);
  });

  it('take the day first, and numbers as people write them only', async () => {
    await data('plan', 'set', 'DAYS', '--discount', '10');
    const end = ['subscription', 'set', 'Mango', '--plan', 'DAYS', '--until'];
    expect(await data(...end, '31/12/2098')).toMatchObject({ until: expect.stringMatching(/^2098-12-31/) });
    expect(await data('order', 'list', '--from', '31/12/2098')).toEqual([]);
    for (const count of ['0x10', '1e1', '+12'])
      expect((await run('stock', 'count', 'CUP', count)).exitCode).toBe(1);
    expect(await data('wallet', 'auto-pay', 'Mango', '--on')).toMatchObject({ enabled: true });
    expect(await data('wallet', 'auto-pay', 'Mango', '--off')).toMatchObject({ enabled: false });
  });

  it('have nested values in tables, and times in the zone of the service', async () => {
    await data('plan', 'set', 'NESTED', '--discount', '10');
    const { stdout } = await run('changes', 'list', '--subject', 'plan', '--limit', '1');
    expect(stdout).toMatch(/discount 10/);
    const changes = (await data('changes', 'list', '--subject', 'plan', '--all')) as { changed_at: string }[];
    const at = changes[0]!.changed_at;
    expect(stdout).toContain(plainTime(new Date(at), 'Asia/Kolkata'));
  });

  it('write a file whole, or not at all', async () => {
    expect((await run('catalog', 'export')).stdout).toMatch(/^sku,name,.*\r?\n/);
    expect((await run('catalog', 'export', '--output', file('all.csv'))).exitCode).toBe(0);
    expect(await readFile(file('all.csv'), 'utf8')).toContain('MUG,Mug,');
    const broken = await StubServer.start();
    broken.answer = (response) => {
      response.writeHead(200, { 'Content-Length': 1_000 }).write('sku,name\r\n');
      setImmediate(() => response.destroy());
    };
    const { exitCode } = await runIn('', { ...env, WHOLESALE_URL: broken.url }, [
      'catalog',
      'export',
      '--output',
      file('half.csv'),
    ]);
    expect([exitCode, await readdir(folder)]).toEqual([1, expect.not.arrayContaining(['half.csv'])]);
    const viewed = await runIn('', { ...env, WHOLESALE_URL: broken.url }, ['plan', 'list', '--json']);
    expect([viewed.exitCode, JSON.parse(viewed.stderr)]).toMatchObject([
      1,
      { code: 'unavailable', message: expect.stringContaining('What was asked may be done.') },
    ]);
    await broken.close();
  });

  it.each([
    ['a refusal', ['order', 'show', 'WO-1'], 1, /^There is no order WO-1\.\n$/],
    ['a fault of an option', ['plan', 'set', 'GOLD', '--discount', '101'], 1, /^--discount: /m],
    ['a fault of an argument', ['wallet', 'adjust', 'Mango', 'x', '--reason', 'r'], 1, /^<amount>: /m],
    ['a missing option', ['order', 'ship', 'WO-1'], 2, /required option '--courier/],
    ['a missing argument', ['stock', 'count', 'MUG'], 2, /missing required argument 'quantity'/],
    ['a limit that is none', ['order', 'list', '--limit', 'x'], 2, /whole number/],
    ['an unknown command', ['order', 'sell'], 2, /unknown command 'sell'/],
  ])('end after %s with its status and reason', async (_, args, status, reason) => {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([status, expect.stringMatching(reason)]);
  });

  it('end with 3 if no service answers, and say how to start it', async () => {
    const away = await StubServer.start();
    await away.close();
    const { exitCode, stderr } = await runIn('', { ...env, WHOLESALE_URL: away.url }, ['plan', 'list']);
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringMatching(/^No service answers at \S+ \(ECONNREFUSED\)\. Start it there with "npm start"/),
    ]);
  });

  it('say that the key is missing', async () => {
    const { exitCode, stderr } = await runIn('', { WHOLESALE_URL: test.url }, ['plan', 'list']);
    expect([exitCode, stderr]).toEqual([1, 'WHOLESALE_URL is set, but WHOLESALE_KEY is missing.\n']);
  });

  describe('after a login', () => {
    const home = () => ({ HOME: folder });
    const login = () => file('.config/wholesale/login.json');

    it('go to its service, until the logout', async () => {
      const { exitCode, stdout } = await runIn(`${env.WHOLESALE_KEY}\n`, home(), ['login', `${test.url}/`]);
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Commands go to http:\S+ now\./)]);
      expect((await stat(login())).mode & 0o777).toBe(0o600);
      const listed = await runIn('', home(), ['client', 'list']);
      expect(listed.stdout).toContain('Mango');
      await runIn('', home(), ['logout']);
      await expect(stat(login())).rejects.toThrow('ENOENT');
    });

    it('is not kept with a wrong key, and a damaged one is told', async () => {
      const { exitCode, stderr } = await runIn('whk_wrong', home(), ['login', test.url]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('key')]);
      await expect(stat(login())).rejects.toThrow('ENOENT');
      await runIn(env.WHOLESALE_KEY!, home(), ['login', test.url]);
      await writeFile(login(), '{');
      const damaged = await runIn('', home(), ['plan', 'list']);
      expect([damaged.exitCode, damaged.stderr]).toEqual([
        1,
        expect.stringContaining('run "wholesale login <url>" again'),
      ]);
      expect((await runIn(env.WHOLESALE_KEY!, home(), ['login', test.url])).exitCode).toBe(0);
    });
  });
});
