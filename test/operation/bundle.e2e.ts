import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/run-node.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Loads the bundle of the folder and prints what the code prints. */
const inBundle = async (folder: string, code: string): Promise<unknown> => {
  const load = `import { loadBundle } from '${folder}/dist/src/programs/run.js'; const { script, exports } = loadBundle();`;
  const { stdout } = await runNode(['--input-type=module', '-e', load + code]);
  return JSON.parse(stdout);
};

/** Tells at the end whether V8 took the compiled code. */
const WATCH = `data:text/javascript,import vm from 'node:vm'; import { syncBuiltinESMExports } from 'node:module';
  const { Script } = vm;
  vm.Script = function (...args) {
    const script = new Script(...args);
    process.on('exit', () => process.stderr.write(String(script.cachedDataRejected)));
    return script;
  };
  syncBuiltinESMExports();`;

/** The help as an operator's command prints it. */
const help = async (folder: string) => {
  const args = ['--import', WATCH, `${folder}/dist/src/cli.js`, '--help'];
  const { stdout, stderr } = await runNode(args);
  return { stdout, isRejected: stderr };
};

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

  it('is ASCII, because it is read as Latin-1', async () => {
    expect((await readFile(join(ROOT, 'dist/bundle.cjs'), 'utf8')).match(/.{20}[\u0080-\uffff]/)).toBeNull();
  });

  it('has one copy of each package that Nest loads on demand', async () => {
    const count = `await exports.load();
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(JSON.stringify(loaded.filter((path) => /(typeorm|pg|class-validator|class-transformer)\\//.test(path))));`;
    expect(await inBundle(ROOT, count)).toEqual([]);
  });

  it('comes with its code compiled', async () => {
    expect(await help(ROOT)).toEqual({ stdout: expect.stringContaining('Exit status'), isRejected: 'false' });
  });

  it('is compiled again by another version of Node', async () => {
    await writeFile(join(folder, 'dist/bundle.cjs.cache'), 'of another version');
    const { stdout } = await help(ROOT);
    expect(await help(folder)).toEqual({ stdout, isRejected: 'true' });
    await rm(join(folder, 'dist/bundle.cjs.cache'));
    expect(await help(folder)).toEqual({ stdout, isRejected: 'undefined' });
  });

  it('is not needed', async () => {
    await rm(join(folder, 'dist/bundle.cjs'));
    expect(await help(folder)).toEqual({ stdout: (await help(ROOT)).stdout, isRejected: '' });
  });
});
