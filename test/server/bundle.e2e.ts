import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checksumOf } from '../../src/server/programs/run.js';
import { runNode } from '../support/run-node.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Loads the bundle of the folder and prints what the code prints. */
const inBundle = async (folder: string, code: string): Promise<unknown> => {
  const load = `import { loadBundle } from '${folder}/dist/src/server/programs/run.js'; const { script, exports } = loadBundle();`;
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
  const bundle = () => join(folder, 'dist/bundle.cjs');
  const cache = () => `${bundle()}.cache`;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    for (const name of ['node_modules', 'examples', 'CHANGELOG.md'])
      await symlink(join(ROOT, name), join(folder, name));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('tells the line of the source in a stack', async () => {
    const fail = `const [{ createCli }] = await exports.load();
      try { createCli(0); } catch ({ stack }) { console.log(JSON.stringify(stack)); }`;
    const stack = (await inBundle(ROOT, fail)) as string;
    const [, path, line] =
      /^TypeError: .*\n[^]*? at createCli \((.*\/src\/cli\/create-cli\.ts):(\d+):\d+\)$/m.exec(stack)!;
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
    const code = Buffer.from('of another version');
    const source = await readFile(bundle());
    await writeFile(cache(), Buffer.concat([code, checksumOf(source, code)]));
    const { stdout } = await help(ROOT);
    expect(await help(folder)).toEqual({ stdout, isRejected: 'true' });
    await rm(cache());
    expect(await help(folder)).toEqual({ stdout, isRejected: 'undefined' });
  });

  const changed = (bytes: Buffer, change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  const flipBits = (copy: Buffer) => {
    for (let at = 1_000; at < copy.length; at += Math.floor(copy.length / 200)) copy[at]! ^= 1 << (at % 8);
  };

  it.each<[what: string, name: string, damage: (whole: Buffer) => Buffer]>([
    ['compiled code with flipped bits', 'bundle.cjs.cache', (whole) => changed(whole, flipBits)],
    [
      'compiled code with a block of zeros',
      'bundle.cjs.cache',
      (whole) => changed(whole, (copy) => copy.fill(0, copy.length / 2, copy.length / 2 + 65_536)),
    ],
    ['half of the compiled code', 'bundle.cjs.cache', (whole) => whole.subarray(0, whole.length / 2)],
    ['an empty file of compiled code', 'bundle.cjs.cache', () => Buffer.alloc(0)],
    ['compiled code without a checksum', 'bundle.cjs.cache', (whole) => whole.subarray(0, -4)],
    [
      'compiled code of another bundle of the same length',
      'bundle.cjs',
      (whole) => Buffer.from(whole.toString('latin1').replace('Exit status', 'EXIT STATUS'), 'latin1'),
    ],
    ['a damaged bundle', 'bundle.cjs', (whole) => changed(whole, flipBits)],
  ])('is not used, which is said, if it has %s', async (_, name, damage) => {
    const whole = await readFile(join(ROOT, 'dist', name));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await writeFile(join(folder, 'dist', name), damage(whole));
    const { stdout } = await help(ROOT);
    const said = `${bundle()} or its compiled code (.cache) is damaged and is not used, so the start takes longer. Build or install this version again.\n`;
    expect(await help(folder)).toEqual({ stdout, isRejected: said });
  });

  it('shows the stack of an error even if its map is damaged', async () => {
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    // The compiled code has the path of the other folder, which has no damaged map.
    await rm(cache());
    await writeFile(join(folder, 'dist/bundle.cjs.map'), '{');
    const fail = `const [{ createCli }] = await exports.load();
      try { createCli(0); } catch ({ stack }) { console.log(JSON.stringify(stack)); }`;
    expect(await inBundle(folder, fail)).toMatch(
      /^TypeError: .*\n[^]*? at createCli \(.*bundle\.cjs:\d+:\d+\)$/m,
    );
  });

  it('is not needed', async () => {
    await rm(join(folder, 'dist/bundle.cjs'));
    expect(await help(folder)).toEqual({ stdout: (await help(ROOT)).stdout, isRejected: '' });
  });
});
