/**
 * Names that a newcomer would have to look up: two exports of one name, and words of a private language in
 * identifiers and comments. The trade has a word for each of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** Refused in identifiers, with a better word. */
const IN_IDENTIFIERS = {
  annex: 'the name of the folder',
  asked: 'requested',
  asker: 'owner, requester',
  begun: 'started, pending',
  deed: 'action, change',
  door: 'paths, pages, routes',
  foreseen: 'expected, scheduled',
  horizon: 'watermark',
  house: 'company, installation',
  judged: 'evaluated',
  least: 'min',
  longest: 'max',
  most: 'max, limit',
  obey: 'on…, handle',
  rehearse: 'dryRun',
  rehearsed: 'dryRun',
  seen: 'reviewed, visited',
  shown: 'view, visible, displayed',
  sought: 'query',
  told: 'reported, handled',
  verdict: 'decision',
};

/** Refused in comments as well. Others of them are ordinary English there. */
const IN_COMMENTS = /\b(annex|asker|deeds?|doors?|houses?|obeys?|reckons?|reckoned|rehearses?|whoever)\b/i;

/** Columns of tables and fields of answers, which keep their names. */
const ALLOWED = new Set([
  'asked',
  'askedAt',
  'begun',
  'had_begun',
  'lastSeen',
  'lastSeenAt',
  'last_seen_at',
  'seenBelow',
  'seenClientId',
  'toldUntil',
]);

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const exported = { type: new Map(), value: new Map() };

function wordsOf(name) {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ');
}

function refuse(file, source, position, text) {
  const line = source.getLineAndCharacterOfPosition(position).line + 1;
  process.stderr.write(`${file}:${line}: ${text}\n`);
  process.exitCode = 1;
}

function checkFile(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isSpec = file.startsWith('test/') || file.includes('.spec.');
  const visit = (node) => {
    if (node.name && ts.isIdentifier(node.name) && isDeclaration(node)) {
      const name = node.name.text;
      const word = ALLOWED.has(name)
        ? undefined
        : wordsOf(name).find((each) => Object.hasOwn(IN_IDENTIFIERS, each));
      if (word) refuse(file, source, node.name.pos, `${name}: not "${word}" but ${IN_IDENTIFIERS[word]}.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const comment of text.matchAll(COMMENT)) {
    const word = IN_COMMENTS.exec(comment[0]);
    if (word) refuse(file, source, comment.index + word.index, `a comment has the word "${word[0]}".`);
  }
  if (!isSpec && file.startsWith('src/'))
    for (const statement of source.statements) noteExport(file, statement);
}

function isDeclaration(node) {
  return (
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isBindingElement(node)
  );
}

/** Pages, commands and routes are found by their folder: only their types have names of their own. */
function noteExport(file, statement) {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  if (!statement.name || !(isType || isValue)) return;
  if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return;
  if (isValue && /^src\/(api|cli|web)\//.test(file)) return;
  const names = exported[isType ? 'type' : 'value'];
  names.set(statement.name.text, [...(names.get(statement.name.text) ?? new Set()), file]);
}

for (const folder of ['src', 'test', 'bench'])
  for (const name of readdirSync(folder, { recursive: true }))
    if (/\.tsx?$/.test(name)) checkFile(`${folder}/${name}`);

for (const names of Object.values(exported))
  for (const [name, files] of names) {
    const distinct = [...new Set(files)];
    if (distinct.length === 1) continue;
    process.stderr.write(`${name} is exported by ${distinct.join(' and ')}: give one another name.\n`);
    process.exitCode = 1;
  }
