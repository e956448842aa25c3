import { readdirSync, readFileSync } from 'node:fs';

const DOCUMENTS = [
  'README.md',
  'compose.yaml',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|sql)$/.test(name))
    .map((name) => `docs/${name}`),
];

/** Finds passwords in the arguments of a program, where every user of the machine could read them. */
const PASSWORD_ON_COMMAND_LINE = new RegExp(
  [
    /\b(?:psql|pg_\w+|createdb|pgbench)\b.*(?:postgres(?:ql)?:\/\/|\$\{?\w*URL)/,
    /^\s*\w*(?:PASSWORD|_URL)=\S*:\S*@/,
    /\bPASSWORD '…'/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'im',
);

describe('The documents', () => {
  it.each(DOCUMENTS)('contain no password on a command line: %s', (name) => {
    expect(readFileSync(name, 'utf8')).not.toMatch(PASSWORD_ON_COMMAND_LINE);
  });
});
