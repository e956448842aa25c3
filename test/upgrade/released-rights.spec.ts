import { readFileSync } from 'node:fs';

/** The privileges of the service by object, and by column where they are for columns. */
function rightsIn(file: string): Map<string, Set<string>> {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\n +/g, ' ')
    .trim()
    .split('\n');
  const ofService = lines.flatMap((line) => {
    const [, object, rights] = /^(.*): wholesale_service (.*)$/.exec(line) ?? [];
    return object === undefined ? [] : [[object, new Set(privilegesOf(rights!))] as const];
  });
  return new Map(ofService);
}

/** "INSERT, UPDATE (a, b)" is INSERT, UPDATE a and UPDATE b. */
function privilegesOf(rights: string): string[] {
  return [...rights.matchAll(/(\w+)(?: \(([^)]*)\))?/g)].flatMap(([, name, columns]) =>
    columns === undefined ? [name!] : columns.split(', ').map((column) => `${name} ${column}`),
  );
}

describe('The rights of the service', () => {
  it('include those of 1.0.0, whose nodes run during an upgrade and after going back', () => {
    const now = rightsIn('../platform/database/rights.txt');
    const lost = [...rightsIn('1.0.0.rights.txt')].flatMap(([object, privileges]) =>
      [...privileges]
        .filter((each) => !now.get(object)?.has(each) && !now.get(object)?.has(each.split(' ')[0]!))
        .map((each) => `${object}: ${each}`),
    );
    expect(lost).toEqual([]);
  });
});
