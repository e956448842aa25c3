import { readFileSync } from 'node:fs';
import { createRequire, SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

type Program = 'main' | 'cli' | 'worker';

const BUNDLE = fileURLToPath(new URL('../../bundle.cjs', import.meta.url));

/** Runs a program from the bundle, or from its own files if none was built, as by `nest start --watch`. */
export function runProgram(program: Program): void {
  const bundle = loadBundle();
  // A command ends before optimized code and room for new objects have paid: a fifth of its time.
  // V8 takes compiled code only under the flags of the build, so these are set after it.
  if (program === 'cli') setFlagsFromString('--semi-space-growth-factor=4 --interrupt-budget=2000000');
  if (bundle) void bundle.exports[program]();
  else void import(`./${program}.js`);
}

/** With the code that V8 compiled at the build. Another version of Node compiles it again. */
export function loadBundle() {
  const source = ifThere(BUNDLE)?.toString('latin1');
  if (source === undefined) return undefined;
  const script = new Script(`(function (module, require, __filename) {${source}\n})`, {
    filename: BUNDLE,
    cachedData: ifThere(`${BUNDLE}.cache`),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  nameSources();
  // Without it, as in Node 20, the driver of PostgreSQL loads all of `fetch` to see where it runs.
  globalThis.navigator ??= { userAgent: 'Node.js' } as Navigator;
  const bundle = { script, exports: {} as Record<Program | 'load', () => Promise<unknown>> };
  const begin = script.runInThisContext() as (...args: unknown[]) => void;
  begin(bundle, createRequire(BUNDLE), BUNDLE);
  return bundle;
}

/** Stacks tell the lines of the sources. */
function nameSources(): void {
  let map: SourceMap | undefined;
  const inSource = (site: NodeJS.CallSite) => {
    if (site.getFileName() !== BUNDLE) return `${site}`;
    map ??= new SourceMap(JSON.parse(readFileSync(`${BUNDLE}.map`, 'utf8')) as SourceMapPayload);
    const [line, column] = [site.getLineNumber()!, site.getColumnNumber()!];
    const found = map.findEntry(line - 1, column - 1) as Partial<SourceMapping>;
    if (!found.originalSource) return `${site}`;
    const path = resolve(dirname(BUNDLE), found.originalSource);
    const place = `${path}:${found.originalLine! + 1}:${found.originalColumn! + 1}`;
    return `${site}`.replace(`${BUNDLE}:${line}:${column}`, place);
  };
  Error.prepareStackTrace = (error, sites) =>
    [Error.prototype.toString.call(error), ...sites.map(inSource)].join('\n    at ');
}

function ifThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
