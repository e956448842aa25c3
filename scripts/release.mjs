/**
 * `npm run release` writes the tarball of this version and the CycloneDX list of what it installs. The tarball
 * has the lockfile under the only name that npm packs, so that `npm ci` in it installs the tested versions.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const SHRINKWRAP = 'npm-shrinkwrap.json';
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));

cpSync('package-lock.json', SHRINKWRAP);
try {
  execFileSync('npm', ['pack', '--silent'], { stdio: 'inherit' });
} finally {
  rmSync(SHRINKWRAP);
}
const list = `${name}-${version}.cdx.json`;
writeFileSync(list, execFileSync(process.execPath, ['scripts/sbom.mjs'], { maxBuffer: 1e8 }));
process.stdout.write(`${list}\n`);
