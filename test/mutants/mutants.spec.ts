import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.js';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A run of all mutants takes minutes. This checks in a second that each can still be applied. */
describe('The mutants', () => {
  it('change one place of their file, and name one suite', () => {
    const faults = MUTANTS.map(({ bug, file, from, to, suite }) => ({
      bug,
      places: readFileSync(inRepository(file), 'utf8').split(from).length - 1,
      changes: to !== from,
      suites: ['.e2e.ts', '.spec.ts', '.spec.tsx'].filter((end) => existsSync(inRepository(suite + end)))
        .length,
    })).filter(({ places, changes, suites }) => places !== 1 || !changes || suites !== 1);
    expect(faults).toEqual([]);
    expect(MUTANTS.length).toBeGreaterThan(200);
  });

  it('have different names', () => {
    const names = MUTANTS.map(({ bug }) => bug);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
