import { readFileSync } from 'node:fs';

interface Mutant {
  bug: string;
  file: string;
  from: string;
  to: string;
  suite: string;
  only: string;
}

/**
 * Bugs in locks, money, rights, limits, the separation of clients, workers and the embedded database, each
 * with the suite that must notice it. Bugs that Stryker or the type checker notices are not listed.
 *
 * A block of `mutants.txt` begins with its suite; `in` names the file, `*` the bug, with a part of the test's
 * title in brackets. Lines with `-` occur once in the file, and are replaced by those with `+`.
 */
export const MUTANTS: Mutant[] = [];

let [suite, file] = ['', ''];
for (const line of readFileSync(new URL('mutants.txt', import.meta.url), 'utf8').split('\n')) {
  const [, bug, only = ''] = /^\* ([^[]*[^[ ])(?: \[(.*)\])?$/.exec(line) ?? [];
  if (bug !== undefined) MUTANTS.push({ bug, file, from: '', to: '', suite, only });
  else if (line.startsWith('in ')) file = line.slice(3);
  else if (line.startsWith('-')) addTo('from', line);
  else if (line.startsWith('+')) addTo('to', line);
  else if (line !== '') suite = line;
}

function addTo(side: 'from' | 'to', line: string): void {
  const mutant = MUTANTS.at(-1)!;
  mutant[side] += (mutant[side] && '\n') + line.slice(1);
}
