import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { compiledPath } from './compiled-path.cjs';

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

/** A suite that is loaded again has a query in its URL. */
function isSource(url) {
  return /\.tsx?(\?|$)/.test(url);
}

/** Returns the compiled source. It is cached, because most files do not change. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const mark = `\n//${createHash('sha1').update(SETTINGS).update(source).digest('hex')}`;
  const keptAt = compiledPath(filename);
  const kept = existsSync(keptAt) ? readFileSync(keptAt, 'utf8') : '';
  if (kept.endsWith(mark)) return kept;
  // swc reads .swcrc, as it does for Jest.
  const { code, map } = transformSync(source, { filename, sourceMaps: true });
  mkdirSync(path.dirname(keptAt), { recursive: true });
  keep(`${keptAt}.map`, map);
  keep(keptAt, code + mark);
  return code;
}

/** Writes the file in one step, because other workers read it. */
function keep(file, content) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}
