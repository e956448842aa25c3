import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Other inputs of the compilation. */
const SETTINGS = version + readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8');

/** Sources import each other by the names of the compiled files. */
export function resolve(specifier, context, nextResolve) {
  const parent = context.parentURL ?? '';
  if (!specifier.startsWith('.') || !isSource(parent)) return nextResolve(specifier, context);
  const [, again = ''] = /(\?load=.*)/.exec(parent) ?? [];
  const found = ['.ts', '.tsx']
    .map((extension) => new URL(specifier.replace(/\.js$/, extension + again), parent))
    .find((candidate) => existsSync(candidate));
  return found ? { url: found.href, format: 'module', shortCircuit: true } : nextResolve(specifier, context);
}

export function load(url, context, nextLoad) {
  if (!isSource(url)) return nextLoad(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

/** A source that Stryker loads again has a query in its URL. */
function isSource(url) {
  return /\.tsx?(\?|$)/.test(url);
}

/** Returns the compiled source. It is cached on the disk, because each process of a suite reads hundreds. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const mark = `\n//${createHash('sha1').update(SETTINGS).update(source).digest('hex')}`;
  const keptAt = `${path.join(ROOT, 'node_modules/.cache/compiled', path.relative(ROOT, filename))}.js`;
  const kept = existsSync(keptAt) ? readFileSync(keptAt, 'utf8') : '';
  if (kept.endsWith(mark)) return kept;
  // swc reads .swcrc, as it does for Jest.
  const { code } = transformSync(source, { filename, sourceMaps: 'inline' });
  mkdirSync(path.dirname(keptAt), { recursive: true });
  // In one step, because other processes read it. Threads of one process compile the same source at once.
  const written = `${keptAt}.${randomUUID()}`;
  writeFileSync(written, code + mark);
  renameSync(written, keptAt);
  return code;
}
