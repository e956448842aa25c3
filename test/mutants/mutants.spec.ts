import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.js';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A run of all mutants takes minutes. This checks in seconds that each can still be applied. */
describe('The mutants', () => {
  it.each(MUTANTS.map((mutant) => [mutant.bug, mutant] as const))(
    'apply to their file and name one suite: %s',
    (_, { file, from, to, suite }) => {
      const source = readFileSync(inRepository(file), 'utf8');
      expect(source.split(from)).toHaveLength(2);
      expect(to).not.toBe(from);
      const found = ['.e2e.ts', '.spec.ts', '.spec.tsx'].filter((end) =>
        existsSync(inRepository(suite + end)),
      );
      expect(found).toHaveLength(1);
    },
  );

  it('have different names', () => {
    expect(new Set(MUTANTS.map(({ bug }) => bug)).size).toBe(MUTANTS.length);
  });
});
