import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

/** Makes the second `npm start` quick: what was built after the last change of its sources is not built again. */
const SOURCES = [
  'src',
  'ormconfig.ts',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const BUILT = 'dist/src/main.js';

/** Folders count too: theirs is the time at which a file in them was last added or removed. Specs are not built. */
function changedAt(path) {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => !/\.spec\.tsx?$/.test(name))
        .map((name) => changedAt(`${path}/${name}`))
    : [];
  return Math.max(mtimeMs, ...inside);
}

function builtAt() {
  return statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (Math.max(...SOURCES.map(changedAt)) > builtAt()) {
  process.stdout.write('Building…\n');
  const nest = ['node_modules/@nestjs/cli/bin/nest.js', 'build'];
  const { status } = spawnSync(process.execPath, nest, { stdio: 'inherit' });
  // What is wrong has been said.
  if (status !== 0) process.exit(status ?? 1);
}
