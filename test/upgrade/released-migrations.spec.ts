import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The hash of each migration of a release. A release appends those of its new ones:
 * `sha256sum src/platform/database/migrations/<new> >> test/upgrade/released.sha256`
 */
const RELEASED = readFileSync(new URL('released.sha256', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(/ [ *]/) as [string, string]);

const ADVICE = 'was released: installations have run it. Put it back; a change is a new migration.';

function faultOf([hash, path]: [string, string]): string[] {
  if (!existsSync(path)) return [`${path} is missing, but ${ADVICE}`];
  const isSame = createHash('sha256').update(readFileSync(path)).digest('hex') === hash;
  return isSame ? [] : [`${path} is changed, but ${ADVICE}`];
}

describe('Released migrations', () => {
  it('stay as they are: a change is a new migration', () => {
    expect(RELEASED.length).toBeGreaterThanOrEqual(16);
    expect(RELEASED.flatMap(faultOf)).toEqual([]);
  });

  it('run before new ones, which have higher numbers', () => {
    const paths = RELEASED.map(([, path]) => path);
    const folder = dirname(paths[0]!);
    const all = readdirSync(folder).map((name) => `${folder}/${name}`);
    expect(all.toSorted().slice(0, paths.length)).toEqual(paths);
  });
});
