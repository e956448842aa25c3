/**
 * Every table has one owner: the module of its entity. A table name in SQL or in a query builder counts
 * as an import of the entity, to which the rules of .dependency-cruiser.cjs apply. Migrations create the
 * tables of all modules and are excluded. A table name that a template inserts is not seen; only the statement
 * of the snapshot has such names.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const rules = forbidden.filter(({ name }) => name.endsWith('-imports-only-its-folders'));

const ENTITY = /@Entity\('(\w+)'\)/g;
const SQL = /\b(SELECT|FROM|JOIN|INTO|UPDATE|DELETE|USING|WHERE|LOCK)\b/;
const LITERALS_AND_COMMENTS = /'(?:[^']|'')*'|--.*/g;
const QUERY_BUILDER = /^(from|getRepository|innerJoin|into|leftJoin|update)$/;
const ITS_CALLS = new RegExp(`\\.(${QUERY_BUILDER.source.slice(2, -2)})\\b`);

/** Returns one sentence for each table that a file names against the rules. */
export function wronglyNamed(files) {
  const entities = new Map();
  for (const [file, text] of files) for (const [, table] of text.matchAll(ENTITY)) entities.set(table, file);
  return files.flatMap(([file, text]) =>
    [...tablesIn(file, text)].flatMap((table) => {
      const entity = entities.get(table);
      const rule =
        entity && rules.find(({ from, to }) => matches(from.path, file) && !matches(to.pathNot, entity));
      return rule ? [`${file} names the table ${table} of ${entity}: ${rule.name}`] : [];
    }),
  );
}

const matches = (pattern, file) => new RegExp(pattern).test(file);

function tablesIn(file, text) {
  const words = new Set();
  if (!SQL.test(text) && !ITS_CALLS.test(text)) return words;
  const visit = (node) => {
    const parts = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      : ts.isStringLiteralLike(node)
        ? [node.text]
        : [];
    const string = parts.join(' ? ');
    if (SQL.test(string))
      for (const word of string.replaceAll(LITERALS_AND_COMMENTS, '').match(/(?<![.\w])\w+/g) ?? [])
        words.add(word);
    if (ts.isCallExpression(node) && QUERY_BUILDER.test(node.expression.name?.text))
      for (const argument of node.arguments) if (ts.isStringLiteralLike(argument)) words.add(argument.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return words;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync('src', { recursive: true })
    .map((name) => `src/${name}`)
    .filter((name) => /(?<!\.spec)\.tsx?$/.test(name) && !name.includes('/migrations/'));
  const found = wronglyNamed(files.map((file) => [file, readFileSync(file, 'utf8')]));
  process.stderr.write(found.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = found.length > 0 ? 1 : 0;
}
