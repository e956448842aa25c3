/**
 * Refuses each regular expression of `src` and `examples` that `recheck` does not call linear: a text could keep
 * a node, a browser or a store busy for minutes. There are no exceptions. Text that is not known here must go
 * through `escapePattern`. The examples in PHP and Python use none, because `recheck` knows only JavaScript's.
 * Accepted expressions and files are remembered until `recheck` changes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { version } = createRequire(import.meta.url)('recheck/package.json');
const SELF = readFileSync(fileURLToPath(import.meta.url));
const CACHE = 'node_modules/.cache';

/** Limits in steps and not in seconds: a busy machine gives the same answers. */
const LIMITS = { timeout: 120_000, attackTimeout: null, incubationTimeout: null };

/** Returns one sentence for each expression that is not linear. Adds the others to `accepted`. */
export async function notLinear(files, accepted = new Set()) {
  const found = [];
  // Loading them takes longer than a check with nothing new.
  const [{ check }, { default: ts }] = await Promise.all([import('recheck'), import('typescript')]);
  for (const [file, text] of files)
    for (const { at, source, flags } of expressionsIn(ts, file, text)) {
      const place = `${file}:${at}`;
      if (isForeign(file)) found.push(`${place} uses a regular expression, which cannot be checked`);
      else if (source === undefined || flags === undefined)
        found.push(`${place} builds a regular expression without escapePattern()`);
      else if (!accepted.has(`/${source}/${flags}`)) {
        const { status, complexity, error } = await check(source, flags, LIMITS);
        if (status === 'safe') accepted.add(`/${source}/${flags}`);
        else
          found.push(`${place} /${source}/${flags}: ${complexity?.summary ?? `undecided, ${error?.kind}`}`);
      }
    }
  return found;
}

const isForeign = (file) => /\.(php|py)$/.test(file);

const FOREIGN_EXPRESSION = /\b(preg_\w|mb_ereg|import re\b|from re\b)/;

function expressionsIn(ts, file, text) {
  if (isForeign(file))
    return text
      .split('\n')
      .flatMap((line, index) => (FOREIGN_EXPRESSION.test(line) ? [{ at: index + 1 }] : []));
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    const at = () => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ at: at(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (node.expression?.text === 'RegExp' && node.arguments) {
      const [source, flags] = node.arguments;
      found.push({ at: at(), source: constant(ts, source), flags: flags ? constant(ts, flags) : '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The text of an argument, with a word for each part that `escapePattern` makes; undefined for other parts. */
function constant(ts, node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (node.expression?.text === 'escapePattern') return 'word';
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(({ expression, literal }) => [constant(ts, expression), literal.text]);
  return parts.some(([word]) => word === undefined) ? undefined : [node.head.text, ...parts.flat()].join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cache = `${CACHE}/regexps-${version}.json`;
  const files = ['src', 'examples']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((name) => /\.(tsx?|m?js|mts|php|py)$/.test(name))
    .map((name) => [name, readFileSync(name, 'utf8')]);
  const remembered = readJson(cache);
  const accepted = new Set(remembered.expressions);
  const known = new Set(remembered.files);
  const changed = files.filter(([, text]) => !known.has(hashOf(text)));
  const found = changed.length > 0 ? await notLinear(changed, accepted) : [];
  const good = found.length > 0 ? files.filter((file) => !changed.includes(file)) : files;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(
    cache,
    JSON.stringify({ expressions: [...accepted], files: good.map(([, text]) => hashOf(text)) }),
  );
  process.stderr.write(found.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = found.length > 0 ? 1 : 0;
}

/** Another one after a change of this script. */
function hashOf(text) {
  return createHash('sha1').update(SELF).update(text).digest('hex');
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
