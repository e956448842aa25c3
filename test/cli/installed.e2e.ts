import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { VERSION } from '../../src/platform/version.js';
import { connectionFor } from '../support/command-service.js';
import { answerOf, INSTALLED_CLI } from '../support/run-command.js';
import { runNode, runProgram } from '../support/run-node.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const PRODUCTS = 500;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('a command as it is installed', () => {
  let database: TestDatabase;
  let pool: Pool;
  let directory: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 2 });
    directory = await mkdtemp(path.join(os.tmpdir(), 'wholesale-installed-'));
    await answerOf(database.serviceUrl, 'demo', 'load', '--products', String(PRODUCTS));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
    await rm(directory, { recursive: true });
  });

  const connected = (args: string[]) => connectionFor({ DATABASE_URL: database.serviceUrl }, args);
  const run = async (...args: string[]) =>
    runNode([INSTALLED_CLI, ...args], { ...(await connected(args)) }, os.tmpdir());
  const counts = async () =>
    (
      await pool.query<{ sku: string; key: string; onHand: number }>(
        `SELECT sku, variation_key AS key, on_hand AS "onHand" FROM stock_items i JOIN products p ON p.id = i.product_id ORDER BY i.id`,
      )
    ).rows;

  it('answers on standard output, prints errors on standard error, and sets its exit status', async () => {
    const [done, refused, misused, help, version] = await Promise.all([
      run('plan', 'set', 'gold', '--json'),
      run('order', 'show', 'WO-20260101-AAAAA-AAAAA'),
      run('plan', 'sett', '--json'),
      run('--help'),
      run('--version'),
    ]);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toMatchObject({ code: 'gold', created: true });
    expect(refused).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining('no order') });
    expect(misused).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining('"usage"') });
    expect(version).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(help).toEqual({ exitCode: 0, stdout: expect.stringContaining('Exit status'), stderr: '' });
  });

  it('helps without loading a framework or what speaks to the database', async () => {
    // Node tells of every module that it loads.
    const { stderr } = await runNode([INSTALLED_CLI, '--help'], { NODE_DEBUG: 'esm,module' }, os.tmpdir());
    expect(stderr).toContain('/node_modules/commander/');
    expect(stderr).not.toMatch(/\/node_modules\/(@nestjs|typeorm|pg|nodemailer|class-validator)\//);
  });

  it.each([
    ['order li', 'list'],
    ['stock rec', 'receive'],
    ['order list --status d', 'delivered'],
    ['order list --cl', '--client'],
    ['nothing of this ki', ''],
  ])('completes "%s" in bash with "%s"', async (typed, found) => {
    const words = ['wholesale', ...typed.split(' ')];
    const program = `wholesale() { "${process.execPath}" "${INSTALLED_CLI}" "$@"; }`;
    const ask = `${program}; source <(wholesale completion bash); COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}`;
    const { stdout } = await runProgram('bash', ['-c', `${ask}; _wholesale; echo "\${COMPREPLY[@]}"`]);
    expect(stdout).toBe(`${found}\n`);
  });

  it('ends without an error when the reader of its answer stops reading', async () => {
    const args = ['catalog', 'export'];
    const child = spawn(process.execPath, [INSTALLED_CLI, ...args], {
      env: { PATH: process.env.PATH, ...(await connected(args)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = once(child, 'exit');
    const complaints = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([await exit, await complaints]).toEqual([[0, null], '']);
  });

  it('may be given several times at once, and none is lost', async () => {
    const [first] = await counts();
    const receive = () => run('stock', 'receive', first!.sku, ...(first!.key ? [first!.key] : []), '7');
    const runs = await Promise.all([receive(), receive(), receive()]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect((await counts())[0]!.onHand).toBe(first!.onHand + 21);
  });

  describe('from the tarball of a release', () => {
    let files: string[];
    let installation: string;

    /** As npm installs it: with the packages that are not for development, each under the name of its folder. */
    beforeAll(async () => {
      const options = ['--json', '--offline', '--pack-destination', directory];
      const packed = await runProgram('npm', ['pack', ...options], { HOME: directory }, ROOT);
      const [tarball] = JSON.parse(packed.stdout) as { filename: string; files: { path: string }[] }[];
      files = tarball!.files.map((file) => file.path);
      installation = path.join(directory, 'node_modules', 'wholesale-order-api');
      await mkdir(installation, { recursive: true });
      const unpack = ['-xzf', tarball!.filename, '--strip-components=1', '-C', installation];
      expect(await runProgram('tar', unpack, {}, directory)).toMatchObject({ exitCode: 0 });
      const { packages } = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { dev?: true; devOptional?: true }>;
      };
      for (const [name, { dev, devOptional }] of Object.entries(packages)) {
        if (dev || devOptional || name.split('node_modules/').length !== 2) continue;
        if (!existsSync(path.join(ROOT, name))) continue;
        await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
        await symlink(path.join(ROOT, name), path.join(directory, name));
      }
    });

    it('has what an operator needs, and nothing else', () => {
      expect(files.filter((name) => !/^(dist|docs|examples)\//.test(name)).sort()).toEqual([
        '.env.example',
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'package.json',
        'scripts/start.mjs',
      ]);
      expect(files).toEqual(
        expect.arrayContaining([
          'dist/src/main.js',
          'dist/src/demo/files/catalog.csv',
          'dist/src/platform/database/service-role.sql',
          'docs/alerts.yml',
          'docs/grafana.json',
          'docs/machines/nginx.conf',
          'docs/operations.md',
          'docs/wholesale.service',
          'examples/store.mjs',
        ]),
      );
      expect(files.filter((name) => /\.(spec|test|e2e)\.|\.(ts|tsx)$/.test(name))).toEqual([]);
    });

    it('runs in any folder, with its own packages only', async () => {
      const program = (name: string) => path.join(installation, 'dist/src', `${name}.js`);
      const environment = { DATABASE_URL: database.serviceUrl };
      const connection = { ...(await connected(['plan', 'list'])) };
      expect(await runNode([program('cli'), 'plan', 'list'], connection, os.tmpdir())).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      const service = ServiceProcess.spawn(environment, os.tmpdir(), program('main'));
      const url = await service.listening();
      const answers = ['/docs', '/docs/guide', '/docs/openapi.json', '/dashboard/sign-in'].map(
        async (page) => (await fetch(`${url}${page}`)).status,
      );
      expect(await Promise.all(answers)).toEqual([200, 200, 200, 200]);
      expect(await service.end('SIGTERM')).toBe(0);
    });

    it('starts with npm start, without a build', async () => {
      const program = path.join(installation, 'scripts/start.mjs');
      const service = ServiceProcess.spawn({ DATABASE_URL: database.serviceUrl }, installation, program);
      await service.listening();
      expect(await service.end('SIGTERM')).toBe(0);
    });
  });
});
