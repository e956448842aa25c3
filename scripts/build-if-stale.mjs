import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';

/**
 * Makes the second `npm start` fast: sources are built only after a change. It checks no types, which takes
 * ten times as long; `npm run build` does.
 */
const INPUTS = ['src', 'ormconfig.ts', 'package-lock.json', '.swcrc'];
/** Written last, also by `npm run build`: without it the build broke off. */
const BUILT = 'dist/complete';

/** A spec, or a folder of the files that specs compare with. */
const isSpec = (path) => /\.spec\.tsx?$|(^|\/)golden$/.test(path);
const isSource = (path) => /\.tsx?$/.test(path);

/** The time of a folder counts too, because it changes when a file is added or removed. */
function changedAt(path) {
  const stats = statSync(path);
  const inside = stats.isDirectory()
    ? readdirSync(path)
        .filter((name) => !isSpec(name))
        .map((name) => changedAt(`${path}/${name}`))
    : [];
  return Math.max(stats.mtimeMs, ...inside);
}

function builtAt() {
  return statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function build() {
  const sources = ['ormconfig.ts', ...readdirSync('src', { recursive: true }).map((name) => `src/${name}`)];
  const compiled = sources
    .filter((path) => isSource(path) && !isSpec(path))
    .map((path) => [
      path.replace(/\.tsx?$/, '.js'),
      transformFileSync(path, { sourceMaps: 'inline', sourceFileName: resolve(path) }).code,
    ]);
  rmSync('dist', { recursive: true, force: true });
  cpSync('src', 'dist/src', { recursive: true, filter: (path) => !isSource(path) && !isSpec(path) });
  for (const [path, code] of compiled) {
    mkdirSync(dirname(`dist/${path}`), { recursive: true });
    writeFileSync(`dist/${path}`, code);
  }
  writeFileSync(BUILT, '');
}

if (Math.max(...INPUTS.map(changedAt)) > builtAt()) {
  process.stdout.write('Building…\n');
  build();
}
