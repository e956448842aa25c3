import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** Sources import one another by the names they will have when compiled. */
export async function resolve(specifier, context, nextResolve) {
  const fromSource = context.parentURL?.endsWith('.ts') && specifier.startsWith('.');
  return nextResolve(fromSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  // swc finds .swcrc by itself: the same settings as in the tests.
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
