import { readdirSync, readFileSync } from 'node:fs';

const DOCUMENTS = [
  'README.md',
  'compose.yaml',
  ...readdirSync('docs')
    .filter((name) => /\.(md|sql)$/.test(name))
    .map((name) => `docs/${name}`),
];

/** A program is given an address, whose password every user of the machine can then read in the list of processes, or a password itself. */
const GIVEN_AWAY =
  /\b(?:psql|pg_\w+|createdb|pgbench)\b.*(?:postgres(?:ql)?:\/\/|\$\{?\w*URL)|^\s*\w*(?:PASSWORD|_URL)=\S*:\S*@|\bPASSWORD '…'/im;

describe('The documents', () => {
  it.each(DOCUMENTS)('never have a password stand on a command line: %s', (name) => {
    expect(readFileSync(name, 'utf8')).not.toMatch(GIVEN_AWAY);
  });
});
