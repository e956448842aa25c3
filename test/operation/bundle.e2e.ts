import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Loads the bundle of the folder and prints what the code prints. */
const inBundle = async (folder: string, code: string): Promise<unknown> => {
  const load = `import { loadBundle } from '${folder}/dist/src/programs/run.js'; const { script, exports } = loadBundle();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', load + code]);
  return JSON.parse(stdout);
};

const DOES_IT_FIT = 'console.log(JSON.stringify(script.cachedDataRejected === false));';

const help = async (folder: string) =>
  (await promisify(execFile)(process.execPath, [`${folder}/dist/src/cli.js`, '--help'])).stdout;

describe('The bundle', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('tells the line of the source in a stack', async () => {
    const fail = `const [{ createCli }] = await exports.load();
      try { createCli(0); } catch ({ stack }) { console.log(JSON.stringify(stack)); }`;
    const stack = (await inBundle(ROOT, fail)) as string;
    const [, path, line] =
      /^TypeError: .*\n[^]*? at createCli \((.*\/src\/doors\/cli\/create-cli\.ts):(\d+):\d+\)$/m.exec(stack)!;
    expect((await readFile(path!, 'utf8')).split('\n')[Number(line) - 1]).toContain('new Cli(commandLine');
  });

  it('has one copy of each package that Nest loads on demand', async () => {
    const count = `await exports.load();
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(JSON.stringify(loaded.filter((path) => /(typeorm|pg|class-validator|class-transformer)\\//.test(path))));`;
    expect(await inBundle(ROOT, count)).toEqual([]);
  });

  it('comes with its code compiled', async () => {
    expect(await inBundle(ROOT, DOES_IT_FIT)).toBe(true);
  });

  it('is compiled again by another version of Node', async () => {
    await writeFile(join(folder, 'dist/bundle.cjs.cache'), 'of another version');
    expect(await inBundle(folder, DOES_IT_FIT)).toBe(false);
    await rm(join(folder, 'dist/bundle.cjs.cache'));
    expect(await help(folder)).toBe(await help(ROOT));
  });

  it('is not needed', async () => {
    await rm(join(folder, 'dist/bundle.cjs'));
    expect(await help(folder)).toBe(await help(ROOT));
  });
});
