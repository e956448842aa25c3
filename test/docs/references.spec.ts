import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split(
  '\n',
);
const PAGES = FILES.filter((file) => /^(README|docs\/[^/]+)\.md$/.test(file));

/** Finds paths in backticks, links and imports, with an extension of this repository. */
const REFERENCE =
  /(?:`|\]\(|from ')((?:[\w.@{}-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs|js|sql|md|png|ya?ml|cfg|ini))(?:`|\)|')/g;

/** Finds settings in backticks. */
const SETTING = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g;

const namedIn = (page: string, pattern: RegExp) =>
  [...readFileSync(page, 'utf8').matchAll(pattern)].map(([, name]) => name!);

describe('The docs', () => {
  it.each(PAGES)('name only files that exist: %s', (page) => {
    const ends = namedIn(page, REFERENCE).map((path) => path.replace(/^(\.{1,2}\/)+/, ''));
    const missing = ends.filter((end) => {
      const source = end.replace(/\.js$/, '.ts');
      return !FILES.some((file) => [end, source].some((name) => `/${file}`.endsWith(`/${name}`)));
    });
    expect(missing).toEqual([]);
  });

  it.each(PAGES)('name only settings that exist: %s', (page) => {
    const sources = FILES.filter((file) =>
      /^(\.env\.example|Dockerfile|(src|test|scripts)\/.*\.(ts|js|mjs|sql))$/.test(file),
    );
    const known = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(namedIn(page, SETTING).filter((name) => !known.includes(name))).toEqual([]);
  });
});
