import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connectionFor } from '../support/command-service.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { printFigures } from '../support/print-figures.js';
import { answerOf, runCommand, runIn } from '../support/run-command.js';
import { HAS_TERMINALS } from '../support/run-on-terminal.js';
import { endEverything } from '../support/suite-end.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { Terminal } from '../support/terminal.js';
import { setUpTestApp, startTestApp, type TestApp } from '../support/test-app.js';

const TO_FULL = ['--failed', '/dev/full'];

describe('the files of the commands', () => {
  const service = setUpTestApp();
  const directory = setUpDirectory();

  beforeAll(async () => {
    await service.fixtures.product({ sku: '0815', name: 'Plate', stock: 9 });
  });

  const run = (...args: string[]) => runCommand(service.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(service.database.serviceUrl, ...args);
  const file = async (name: string, content: string) => {
    await writeFile(path.join(directory, name), content);
    return path.join(directory, name);
  };

  it('are refused before the import if the refused rows cannot be written', async () => {
    const row = 'sku,variation,quantity\n0815,,77\nNOPE,,1\n';
    const counts = await file('unwritten.csv', row);
    const link = path.join(directory, 'link.csv');
    await symlink(counts, link);
    for (const target of [path.join(directory, 'none', 'x.csv'), directory, counts, link]) {
      const { exitCode, stdout, stderr } = await run('stock', 'import', counts, '--failed', target, '--json');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'unwritable_file' });
    }
    expect(await readFile(counts, 'utf8')).toBe(row);
    const report = await answer(
      'stock',
      'import',
      await file('good.csv', 'sku,variation,quantity\n0815,,77\n'),
    );
    expect(report).toMatchObject({ updated: 1 });
  });

  it('that cannot be written in the end do not hide the report of the import', async () => {
    const counts = await file('full.csv', 'sku,variation,quantity\n0815,,78\nNOPE,,1\n');
    const { exitCode, stdout, stderr } = await run('stock', 'import', counts, ...TO_FULL, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ updated: 1, failed: [{ line: 3 }] });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'unwritable_file' });
  });

  it('that cannot be written make the command fail, even without refused rows', async () => {
    const counts = await file('all-good.csv', 'sku,variation,quantity\n0815,,79\n');
    for (const json of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await run('stock', 'import', counts, ...TO_FULL, ...json);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('/dev/full')]);
      expect(stdout).not.toBe('');
    }
    expect((await run('stock', 'import', counts, '--failed', '/dev/null')).exitCode).toBe(0);
  });

  it('name the reason of this refusal, and drop the one of an earlier file', async () => {
    const refusedOnce = await file(
      'once.csv',
      'sku,Reason ,variation,quantity\nNOPE,an old one,,1\n0815,,,-1\n',
    );
    const failed = path.join(directory, 'now.csv');
    const repeated = path.join(directory, 'again.csv');
    expect((await run('stock', 'import', refusedOnce, '--failed', failed)).exitCode).toBe(1);
    expect((await run('stock', 'import', failed, '--failed', repeated)).exitCode).toBe(1);
    const written = await readFile(failed, 'utf8');
    expect(written.split(/\r?\n/)).toEqual([
      'sku,variation,quantity,reason',
      'NOPE,,1,sku there is no product NOPE',
      expect.stringMatching(/^0815,,'?-1,"?quantity must be a whole number/),
      '',
    ]);
    expect(await readFile(repeated, 'utf8')).toBe(written);
  });

  it('keep the whole text of malformed rows, which are refused again', async () => {
    const columns = 'sku;name;description;category;images;base_price;delivery_charge;active;variations';
    const surplus = 'T1;Shirt;;;;100;0;true;Color=Red|Blue; Size=S|M';
    const stray = 'T2;5" pipe;;;;100;0;true;';
    const unclosed = 'T3;"Open;;;;100;0;true;\nT4;Swallowed;;;;1;0;true;';
    const failed = path.join(directory, 'mangled-1.csv');
    const repeated = path.join(directory, 'mangled-2.csv');
    const given = await file('mangled.csv', [columns, surplus, stray, unclosed].join('\n'));
    const first = await run('catalog', 'import', given, '--failed', failed, '--json');
    const second = await run('catalog', 'import', failed, '--failed', repeated, '--json');
    for (const { exitCode, stdout } of [first, second]) {
      expect(exitCode).toBe(1);
      const { created, failed: faults } = JSON.parse(stdout) as {
        created: number;
        failed: { line: number }[];
      };
      expect([created, [...new Set(faults.map(({ line }) => line))]]).toEqual([0, [2, 3, 4]]);
    }
    for (const kept of [await readFile(failed, 'utf8'), await readFile(repeated, 'utf8')]) {
      expect(kept).toContain(' Size=S|M');
      expect(kept).toContain('"T2;5"" pipe;;;;100;0;true;"');
      expect(kept).toContain('"T3;""Open;;;;100;0;true;\nT4;Swallowed;;;;1;0;true;"');
    }
  });

  it('stay unchanged until an export is complete, and are then readable by their owner only', async () => {
    const output = await file('export.csv', 'before');
    await chmod(output, 0o666);
    expect(await answer('catalog', 'export', '--output', output)).toMatchObject({ file: output });
    expect(await readFile(output, 'utf8')).toContain('0815,Plate');
    const unheard = path.join(directory, 'new.csv');
    await answer('catalog', 'export', '--output', unheard);
    const refused = path.join(directory, 'refused.csv');
    await run(
      'stock',
      'import',
      await file('bad.csv', 'sku,variation,quantity\nNOPE,,1\n'),
      '--failed',
      refused,
    );
    for (const written of [output, unheard, refused]) expect((await stat(written)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('are never links', async () => {
    const kept = await file('kept.csv', 'kept');
    const link = path.join(directory, 'to-kept.csv');
    const dangling = path.join(directory, 'to-nothing.csv');
    await symlink(kept, link);
    await symlink(path.join(directory, 'nothing.csv'), dangling);
    for (const output of [link, dangling]) {
      const { exitCode, stderr } = await run('catalog', 'export', '--output', output, '--json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'unwritable_file',
        message: expect.stringContaining('is a link') as string,
      });
    }
    expect(await readFile(kept, 'utf8')).toBe('kept');
    expect(await readdir(directory)).not.toContain('nothing.csv');
  });

  it('may be a pipe, unless another user owns it', async () => {
    const pipe = path.join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [{ exitCode }, read] = await Promise.all([
      run('catalog', 'export', '--output', pipe),
      readFile(pipe, 'utf8'),
    ]);
    expect([exitCode, read]).toEqual([0, expect.stringContaining('0815,Plate')]);
    if (process.getuid?.() !== 0) return;
    await chown(pipe, 65_534, 65_534);
    const reader = spawn('cat', [pipe], { stdio: 'ignore' });
    const { stderr } = await run('catalog', 'export', '--output', pipe, '--json');
    reader.kill();
    expect(JSON.parse(stderr)).toMatchObject({
      message: expect.stringContaining('belongs to another user') as string,
    });
  });

  it('may be a pipe whose reader stalls: it loses nothing and holds no transaction', async () => {
    const pipe = path.join(directory, 'slow');
    execFileSync('mkfifo', [pipe]);
    const products = Array.from({ length: 40 }, () => ({ description: 'x'.repeat(50_000) }));
    await service.fixtures.products(products);
    // It reads a byte, and the rest after a line of input.
    const script = 'exec 3< "$0"; dd bs=1 count=1 <&3 2> /dev/null; read -r line; cat <&3';
    const reader = spawn('sh', ['-c', script, pipe]);
    const exported = run('catalog', 'export', '--output', pipe);
    await once(reader.stdout, 'data');
    await eventually(async () => {
      const { rowCount } = await service.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND usename <> current_user AND xact_start IS NOT NULL`,
      );
      return rowCount === 0;
    });
    reader.stdin.end('\n');
    expect((await text(reader.stdout)).match(/x{50000}/g)).toHaveLength(products.length);
    expect((await exported).exitCode).toBe(0);
  });

  afterAll(endEverything);
});

/**
 * Sets the title, clears the screen, overwrites the line, uses one-byte controls, and turns the text around.
 */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\rX\u009d0;owned\u009c\u009b2J\u007f\u202eevil\u2066';

/** Control characters and turned text: everything but text, its line breaks and its tabs. */
const STEERING = /[^\P{Cc}\t\n]|[\u202A-\u202E\u2066-\u2069]/gu;

/** How the bar of an import moves, which is ours. */
const ERASE = '\u001b\\[K';
const BAR = new RegExp(String.raw`\r[a-z]+ \[[#.]*\] \d+ %${ERASE}|\r${ERASE}`, 'g');

const withTerminals = HAS_TERMINALS ? describe : describe.skip;

withTerminals('A terminal', () => {
  let service: TestApp;
  let store: Store;
  let directory: string;
  let number: string;
  let terminal: Terminal;

  beforeAll(async () => {
    terminal = await Terminal.open();
    service = await startTestApp();
    directory = await mkdtemp(path.join(os.tmpdir(), 'wholesale-terminal-'));
    store = await service.fixtures.store({ name: `Store ${HOSTILE}` });
    const { sku } = await service.fixtures.product({ sku: 'MUG', description: `A mug ${HOSTILE}` });
    number = await service.place(store, [{ sku, quantity: 1 }]);
    // As an order may be that was placed before such texts were refused.
    await service.fixtures.rewrite(`UPDATE orders SET customer_name = $1, shipping_city = $1, notes = $1`, [
      HOSTILE,
    ]);
    await service.fixtures.sql(
      `INSERT INTO store_requests (client_id, answered_at, request_id, token_id, method, route, path, parameters,
                                   status, code, faults, store_order_id, milliseconds)
       VALUES ($1, now(), 'request', 1, 'POST', '/api/orders', '/api/orders', '{}', 422, 'validation_failed',
               jsonb_build_array(jsonb_build_object('field', 'x', 'message', $2::text)), $2, 1)`,
      [store.clientId, HOSTILE],
    );
  });
  afterAll(async () => {
    await service.close();
    await rm(directory, { recursive: true });
  });

  const onTerminal = async (...args: string[]) =>
    terminal.run(await connectionFor({ DATABASE_URL: service.database.serviceUrl }, args), ...args);
  const piped = (...args: string[]) => runCommand(service.database.serviceUrl, ...args);
  const hostileFile = async () => {
    const file = path.join(directory, 'hostile.csv');
    await writeFile(file, `sku,variation,quantity,${HOSTILE}\n"${HOSTILE}",,1,\nMUG,"${HOSTILE}",2,\n`);
    return file;
  };

  it.each([
    ['an import report', async () => ['stock', 'import', await hostileFile()]],
    ['an import report for scripts', async () => ['stock', 'import', await hostileFile(), '--json']],
    ['an order export', async () => ['order', 'export', '--status', 'awaiting_payment']],
    ['a list for scripts', async () => ['order', 'list', '--json']],
    ['an order', async () => ['order', 'show', number]],
    ['the error of a command', async () => ['order', 'show', HOSTILE]],
    ['a wrong usage', async () => ['order', HOSTILE]],
  ])('is not steered by %s', async (what, commandLine) => {
    const { stdout } = await onTerminal(...(await commandLine()));
    const displayed = stdout.replaceAll(BAR, '');
    expect(displayed).toContain(String.raw`\u001b]0;owned`);
    expect(displayed.match(STEERING)).toBeNull();
    printFigures(`${what} on a terminal`, {
      'characters shown': displayed.length,
      escaped: displayed.match(/\\u[\da-f]{4}/g)?.length ?? 0,
    });
  });

  // A terminal that does not know its width says 0 columns.
  it('is not steered by a list', async () => {
    for (const list of ['list', 'refused']) {
      const { stdout } = await onTerminal('order', list);
      expect(stdout).toContain(String.raw`\u001b]0;owned`);
      expect(stdout.match(STEERING)).toBeNull();
    }
  });

  it('is no output file', async () => {
    const { exitCode, stdout } = await onTerminal('catalog', 'export', '--output', '/dev/tty');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/^Service: .*\nThe file \/dev\/tty is a terminal\.\n$/),
    ]);
  });

  it('is no reason to change what a script gets: one JSON value, the same on a terminal', async () => {
    const [displayed, read] = [
      await onTerminal('order', 'list', '--json'),
      await piped('order', 'list', '--json'),
    ];
    expect(JSON.parse(displayed.stdout)).toEqual(JSON.parse(read.stdout));
    expect(JSON.parse(read.stdout)).toMatchObject([{ client: `Store ${HOSTILE}` }]);
  });

  it('is no reason to change what goes into a file or a pipe', async () => {
    const file = path.join(directory, 'catalog.csv');
    await piped('catalog', 'export', '--output', file);
    const { stdout } = await piped('catalog', 'export');
    expect(stdout).toContain(HOSTILE);
    expect(await readFile(file, 'utf8')).toBe(stdout);
  });
});

/** No service answers there: wrong usage needs none. */
const NO_SERVICE = { WHOLESALE_URL: 'http://127.0.0.1:1', WHOLESALE_KEY: 'whk_none' };

describe('wrong usage of a command', () => {
  const run = (...args: string[]) => runIn('', NO_SERVICE, args);

  it.each([
    ['a missing command', [], 'A command is missing.'],
    ['a missing command of a group', ['plan'], 'A command is missing.'],
    ['an unknown command', ['plan', 'sett'], "unknown command 'sett'"],
    ['a missing argument', ['stock', 'receive', 'BOWL'], "missing required argument 'quantity'"],
    ['a missing option', ['client', 'add', '--name', 'X'], "required option '--plan"],
    ['an unknown option', ['plan', 'list', '--verbose'], "unknown option '--verbose'"],
    ['an unknown status', ['order', 'list', '--status', 'lost'], 'Allowed choices are'],
  ])('is %s: status 2, and JSON on standard error', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ code: 'usage', message: expect.stringContaining(message) });
  });

  it('is reported with a hint at the help', async () => {
    const { exitCode, stdout, stderr } = await run('plan', 'sett');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: unknown command 'sett'[\s\S]*--help/);
  });

  it('is avoided by help that tells options, choices and the default', async () => {
    const { exitCode, stdout } = await run('order', 'list', '--help');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/--limit <count>\s+how many rows .*50/)]);
    expect(stdout).toMatch(/--status <value>[\s\S]*"awaiting_payment", "pending"/);
    expect((await run('stock', 'receive', '--help')).stdout).toContain('<sku> [variation] <quantity>');
  });
});
