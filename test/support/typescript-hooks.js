import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/** Compiled sources by their path: Stryker loads the same ones thousands of times. */
const compiled = new Map();

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
  const filename = fileURLToPath(url);
  // swc reads .swcrc, as it does for Jest.
  if (!compiled.has(filename))
    compiled.set(
      filename,
      transformSync(readFileSync(filename, 'utf8'), { filename, sourceMaps: 'inline' }).code,
    );
  return { format: 'module', source: compiled.get(filename), shortCircuit: true };
}

/** A source that Stryker loads again has a query in its URL. */
function isSource(url) {
  return /\.tsx?(\?|$)/.test(url);
}
