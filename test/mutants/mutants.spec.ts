import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.js';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** To try them all takes minutes; that each can still be tried is seen at once. */
describe('The bugs to put in', () => {
  it.each(MUTANTS.map((mutant) => [mutant.bug, mutant] as const))(
    'stand where they can be made, and have a suite to notice them: %s',
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

  it('have a name each', () => {
    expect(new Set(MUTANTS.map(({ bug }) => bug)).size).toBe(MUTANTS.length);
  });
});
