import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { compiledPath } from './compiled-path.cjs';

/** What else the outcome depends on. */
const SETTINGS = version + readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8');

/** Sources import one another by the names they will have when compiled. */
export function resolve(specifier, context, nextResolve) {
  const parent = context.parentURL ?? '';
  if (!specifier.startsWith('.') || !isSource(parent)) return nextResolve(specifier, context);
  const found = ['.ts', '.tsx']
    .map((extension) => new URL(specifier.replace(/\.js$/, extension), parent))
    .find((candidate) => existsSync(candidate));
  return found ? { url: found.href, format: 'module', shortCircuit: true } : nextResolve(specifier, context);
}

export function load(url, context, nextLoad) {
  if (!isSource(url)) return nextLoad(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

/** A suite that is loaded once more has a query behind its name. */
function isSource(url) {
  return /\.tsx?(\?|$)/.test(url);
}

/** A source as Node runs it. Kept for the next time: most do not change. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const mark = `\n//${createHash('sha1').update(SETTINGS).update(source).digest('hex')}`;
  const keptAt = compiledPath(filename);
  const kept = existsSync(keptAt) ? readFileSync(keptAt, 'utf8') : '';
  if (kept.endsWith(mark)) return kept;
  // swc finds .swcrc by itself: the same settings as wherever Jest compiles.
  const { code, map } = transformSync(source, { filename, sourceMaps: true });
  mkdirSync(path.dirname(keptAt), { recursive: true });
  keep(`${keptAt}.map`, map);
  keep(keptAt, code + mark);
  return code;
}

/** Whole or not at all: other workers read along. */
function keep(file, content) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}
