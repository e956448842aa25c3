import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { INSTALLED_CLI } from '../support/run-command.js';
import { runNode } from '../support/run-node.js';
import { HAS_TERMINALS, runOnTerminal } from '../support/run-on-terminal.js';
import { createTestDatabase } from '../support/test-database.js';

describe('the database of a command', () => {
  let room: string;
  let count = 0;

  beforeAll(async () => void (room = await makeOpenDirectory('which-database-')));
  afterAll(() => rm(room, { recursive: true, force: true }));

  const folder = async () => {
    const name = path.join(room, `folder-${++count}`);
    await mkdir(name);
    return name;
  };
  /** Without settings: the folder decides. */
  const runIn = (directory: string, ...args: string[]) => runNode([INSTALLED_CLI, ...args], {}, directory);

  it.each([
    ['lists', ['order', 'list']],
    ['changes', ['plan', 'set', 'gold']],
    ['exports', ['catalog', 'export']],
  ])('is never made by one that %s, but for one sentence on standard error', async (_, command) => {
    const wrong = await folder();
    const { exitCode, stdout, stderr } = await runIn(wrong, ...command, '--json');
    expect([exitCode, stdout]).toEqual([expect.any(Number), '']);
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(stderr)).toEqual({ code: expect.any(String), message: expect.any(String) });
    expect(await readdir(wrong)).toEqual([]);
  });

  it.each([
    ['migrate', ['migrate']],
    ['demo load', ['demo', 'load', '--products', '1']],
  ])('is made by %s', async (_, command) => {
    const right = await folder();
    expect(await runIn(right, ...command)).toMatchObject({ exitCode: 0 });
    expect(await readdir(right)).toEqual(['.data']);
    const { exitCode, stdout } = await runIn(right, 'migrate', '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { applied: [] }]);
  });

  (HAS_TERMINALS ? it : it.skip)('is shown on a terminal, without its password', async () => {
    const database = await createTestDatabase();
    const url = Object.assign(new URL(database.url), { password: 'secret' });
    const { stdout } = await runOnTerminal([INSTALLED_CLI, 'migrate'], { DATABASE_URL: url.href });
    expect(stdout).toContain(`Database: ${url.host}${url.pathname}\n`);
    expect(stdout).not.toContain('secret');
    await database.drop();
  });
});
