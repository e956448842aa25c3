import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Store } from '../support/fixtures.js';
import { printFigures } from '../support/print-figures.js';
import { runCommand } from '../support/run-command.js';
import { HAS_TERMINALS } from '../support/run-on-terminal.js';
import { Terminal } from '../support/terminal.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

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

  const onTerminal = (...args: string[]) =>
    terminal.run({ DATABASE_URL: service.database.serviceUrl }, ...args);
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
    ['a list', async () => ['order', 'list']],
    ['a list for scripts', async () => ['order', 'list', '--json']],
    ['the list of refusals', async () => ['order', 'refused']],
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

  it('is no output file', async () => {
    const { exitCode, stdout } = await onTerminal('catalog', 'export', '--output', '/dev/tty');
    expect([exitCode, stdout.split('\n').slice(1)]).toEqual([1, ['The file /dev/tty is a terminal.', '']]);
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

  it('does not show who did something under a name that could steer it', async () => {
    const { exitCode, stderr } = await piped('order', 'pay', number, '--by', HOSTILE, '--json');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('must be one line') as string,
    });
  });
});
