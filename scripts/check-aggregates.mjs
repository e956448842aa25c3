/**
 * An aggregate that collects rows into one value grows with its rows, and so does each read of it. Its subquery has a
 * LIMIT, or its result a slice. Else the statement says in a comment what it is "bounded by".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const AGGREGATE = /\b(?:json|jsonb|array)_agg\(/g;
const REASON = /\bbounded\s(?:\* )?by\b/i;

/** Returns one sentence for each aggregate without a bound. */
export function unboundedAggregates(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTemplateLiteral(node) || ts.isStringLiteralLike(node)) {
      const sql = node.getText();
      for (const { index } of REASON.test(sql + commentsOf(node)) ? [] : sql.matchAll(AGGREGATE)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart() + index).line + 1;
        if (!/\bLIMIT\b|^\[1:/.test(subqueryAt(sql, index)))
          found.push(
            `${file}:${line} collects rows without LIMIT, and does not say what they are bounded by`,
          );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Comments of all properties and declarations that the text is in. */
function commentsOf(node) {
  if (ts.isSourceFile(node)) return '';
  const isOwner = ts.isPropertyAssignment(node) || ts.isStatement(node);
  const own = isOwner ? node.getFullText().slice(0, node.getStart() - node.getFullStart()) : '';
  return own + commentsOf(node.parent);
}

/** From the aggregate to the end of the parentheses around it, with what follows them. */
function subqueryAt(sql, index) {
  let [depth, end] = [1, index];
  for (; depth > 0 && end < sql.length; end += 1) depth += { '(': 1, ')': -1 }[sql[end]] ?? 0;
  return /^\s*\[1:/.test(sql.slice(end)) ? '[1:' : sql.slice(index, end);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync('src', { recursive: true })
    .map((name) => `src/${name}`)
    .filter((name) => /(?<!\.spec)\.tsx?$/.test(name) && !name.includes('/migrations/'));
  const found = files.flatMap((file) => unboundedAggregates(file, readFileSync(file, 'utf8')));
  process.stderr.write(found.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = found.length > 0 ? 1 : 0;
}
