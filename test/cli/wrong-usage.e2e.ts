import { runCommand } from '../support/run-command.js';

/** There is no database: wrong usage needs none. */
const NO_DATABASE = 'postgres://127.0.0.1:1/none';

describe('wrong usage of a command', () => {
  it.each([
    [[], 'A command is missing.'],
    [['plan'], 'A command is missing.'],
    [['stock', 'receive', 'BOWL'], '±n is missing: how many arrived or, with a minus, were removed'],
  ])('says what is missing after %j', async (args, message) => {
    const { exitCode, stderr } = await runCommand(NO_DATABASE, ...args, '--json');
    expect([exitCode, JSON.parse(stderr)]).toEqual([2, { code: 'usage', message }]);
  });

  it.each([
    ['an unknown command', ['plan', 'sett']],
    ['a missing command', ['plan']],
    ['a missing option', ['client', 'add', '--name', 'X']],
    ['an unknown option', ['plan', 'list', '--verbose']],
    ['an impossible date', ['subscription', 'set', '1', '--plan', 'gold', '--until', '2026-02-30']],
    ['a change that is no number', ['stock', 'receive', 'MUG', 'Red']],
    ['a search for nothing', ['order', 'list', '--search', ' ']],
    ['an unknown status', ['order', 'list', '--status', 'lost']],
  ])('is %s: status 2, and JSON on standard error', async (_, args) => {
    const { exitCode, stdout, stderr } = await runCommand(NO_DATABASE, ...args, '--json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ code: 'usage', message: expect.any(String) as string });
  });

  it('is reported with a hint at the help', async () => {
    const { exitCode, stdout, stderr } = await runCommand(NO_DATABASE, 'plan', 'sett');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: unknown command 'sett'[\s\S]*--help/);
  });

  it('is avoided by help that tells what is required, and what counts where nothing is said', async () => {
    const { exitCode, stdout } = await runCommand(NO_DATABASE, 'client', 'add', '--help');
    expect([exitCode, stdout.match(/\(required\)/g)]).toEqual([0, Array(5).fill('(required)')]);
    expect((await runCommand(NO_DATABASE, 'order', 'export', '--help')).stdout).toContain(
      'default: "pending"',
    );
  });
});
