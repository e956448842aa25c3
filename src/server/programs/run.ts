import { readFileSync } from 'node:fs';
import { createRequire, SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

type Program = 'main' | 'cli';

const BUNDLE = fileURLToPath(new URL('../../../bundle.cjs', import.meta.url));

const DAMAGED =
  `${BUNDLE} or its compiled code (.cache) is damaged and is not used, so the start takes longer. ` +
  'Build or install this version again.\n';

/**
 * Runs a program from the bundle, or from its own files if none was built, as by `nest start --watch`, or if
 * the bundle is damaged. A command loads in 1.0 s of processor time from the bundle with its compiled code,
 * in 1.5 s without the compiled code, and in 3.8 s from its own files.
 */
export function runProgram(program: Program): void {
  const bundle = loadBundle();
  // A command ends before optimized code and memory for new objects pay off: they cost a fifth of its time.
  // V8 takes compiled code only under the flags of the build, so these are set after it.
  if (program === 'cli') setFlagsFromString('--semi-space-growth-factor=4 --interrupt-budget=2000000');
  if (bundle) void bundle.exports[program]();
  else void import(`./${program}.js`);
}

interface BundleFiles {
  source: Buffer;
  /** The code that V8 compiled at the build. Another version of Node compiles it again. */
  code: Buffer | undefined;
}

const CHECKSUM_LENGTH = 4;

/** V8 trusts its compiled code: it crashes if the code is damaged, or belongs to another bundle. */
export function readBundle(): BundleFiles | 'damaged' | undefined {
  const source = readIfThere(BUNDLE);
  const cache = readIfThere(`${BUNDLE}.cache`);
  if (!source) return undefined;
  if (!cache) return { source, code: undefined };
  const code = cache.subarray(0, -CHECKSUM_LENGTH);
  return checksumOf(source, code).equals(cache.subarray(code.length)) ? { source, code } : 'damaged';
}

/** The checksum of both files. The file of the compiled code ends with it. */
export function checksumOf(source: Buffer, code: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_LENGTH);
  checksum.writeUInt32LE(crc32(code, crc32(source)));
  return checksum;
}

export function loadBundle() {
  const files = readBundle();
  if (files === 'damaged') process.stderr.write(DAMAGED);
  if (files === 'damaged' || files === undefined) return undefined;
  const script = new Script(
    `(function (module, require, __filename) {${files.source.toString('latin1')}\n})`,
    {
      filename: BUNDLE,
      cachedData: files.code,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  nameSources();
  // Without it, as in Node 20, the driver of PostgreSQL loads all of `fetch` to see where it runs.
  globalThis.navigator ??= { userAgent: 'Node.js' } as Navigator;
  const bundle = { script, exports: {} as Record<Program | 'load', () => Promise<unknown>> };
  const begin = script.runInThisContext() as (...args: unknown[]) => void;
  begin(bundle, createRequire(BUNDLE), BUNDLE);
  return bundle;
}

/** Shows the lines of the sources in stacks. */
function nameSources(): void {
  let map: SourceMap | undefined;
  const inSource = (site: NodeJS.CallSite) => {
    if (site.getFileName() !== BUNDLE) return `${site}`;
    map ??= readMap();
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

/** A damaged map must not hide the error whose stack is shown: the stack has the lines of the bundle then. */
function readMap(): SourceMap {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${BUNDLE}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return new SourceMap({
      version: 3,
      file: '',
      sources: [],
      sourcesContent: [],
      names: [],
      mappings: '',
      sourceRoot: '',
    });
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
