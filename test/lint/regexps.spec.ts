// @ts-expect-error The script has no types.
import { notLinear } from '../../scripts/check-regexps.mjs';

const check = notLinear as (
  files: [file: string, text: string][],
  accepted?: Set<string>,
) => Promise<string[]>;

describe('The lint rule for regular expressions', () => {
  it.each([
    ['ends with blanks, which begin at each blank anew', String.raw`a.replace(/\s+$/, '');`, '2nd degree'],
    ['has three neighbours that accept a blank', String.raw`/^\s*(\s*)(.*?)\s*$/.test(a);`, 'degree'],
    ['repeats a repetition', String.raw`/^(a+)+$/.test(a);`, 'exponential'],
    ['is a text', String.raw`new RegExp('^(a+)+$', 'i');`, 'exponential'],
    ['is called', String.raw`RegExp('^(a+)+$');`, 'exponential'],
    ['surrounds an escaped word', 'new RegExp(`(a+)+${escapePattern(word)}$`);', 'exponential'],
    ['is no expression', `new RegExp('(');`, 'undecided'],
    ['is a text from elsewhere', 'new RegExp(word);', 'escapePattern()'],
    ['has flags from elsewhere', `new RegExp('a', flags);`, 'escapePattern()'],
    ['contains a text from elsewhere', 'new RegExp(`^${escapePattern(word)}${other}$`);', 'escapePattern()'],
  ])('refuses one that %s', async (_, text, reason) => {
    expect(await check([['src/a.ts', `// First line\n${text}`]])).toEqual([
      expect.stringMatching(/^src\/a\.ts:2 /),
    ]);
    expect(await check([['src/a.ts', text]])).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['php', '$found = preg_match("/^(a+)+$/", $text);'],
    ['py', 'import re'],
  ])('refuses each one in an example in another language: %s', async (language, text) => {
    const file = `examples/wholesale.${language}`;
    expect(await check([[file, `\n${text}\nsecure.replace(a)`]])).toEqual([
      `${file}:2 uses a regular expression, which cannot be checked`,
    ]);
  });

  it('accepts linear ones, and checks each once', async () => {
    const accepted = new Set<string>();
    const text = String.raw`/^\s*\w+$/u.test(a); new RegExp(escapePattern(b), 'iu'); RegExp.prototype;`;
    expect(await check([['src/a.ts', text]], accepted)).toEqual([]);
    expect([...accepted]).toEqual([String.raw`/^\s*\w+$/u`, '/word/iu']);
    expect(await check([['src/a.ts', 'a = /(a+)+$/;']], new Set(['/(a+)+$/']))).toEqual([]);
  });
});
