import { COMMON_WORDS } from './common-words.js';

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

/** What is left of a password when whatever can be guessed counts as one character. */
const LEAST_LEFT = 8;

/** Where the fingers go by themselves. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const RUN_LENGTH = 4;

const LETTERS_MEANT: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/**
 * Why this password will not do, to finish the sentence "The password …"; nothing if it will. What everybody tries first is not on a list of
 * a million lines: it is made of a few hundred words, of keys that lie side by side, of years and repetitions, and of what is known of the
 * person. Each of these counts as a single character, and then enough must be left.
 */
export function passwordFault(password: string, knownOfPerson: readonly string[]): string | undefined {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length < SHORTEST_PASSWORD) return `must have at least ${SHORTEST_PASSWORD} characters`;
  if (length > LONGEST_PASSWORD) return `must have at most ${LONGEST_PASSWORD} characters`;
  const words = [...knownOfPerson.flatMap(wordsOf), ...COMMON_WORDS];
  const plain = text.toLowerCase();
  const left = Math.min(...[plain, asMeant(plain)].map((each) => lengthLeft(each, words)));
  if (left < LEAST_LEFT)
    return 'is too easy to guess: it is made of what everybody tries first, or of your own or the store’s name';
  return undefined;
}

function lengthLeft(text: string, words: string[]): number {
  let left = text;
  for (const word of words) left = left.replaceAll(word, '\0');
  left = left.replace(/(19|20)\d\d/g, '\0');
  for (const run of RUNS) left = left.replaceAll(run, '\0');
  // The same again, whether it is one character or several.
  left = left.replace(/(.+?)\1+/gs, '$1');
  return [...left].length;
}

/** Runs of every length, the longest first, forwards and backwards. */
const RUNS = ROWS.flatMap((row) => [row, [...row].toReversed().join('')])
  .flatMap((row) =>
    Array.from(row, (_, start) => row.slice(start)).flatMap((tail) =>
      Array.from(tail, (__, end) => tail.slice(0, end + 1)),
    ),
  )
  .filter((run) => run.length >= RUN_LENGTH)
  .toSorted((one, other) => other.length - one.length);

function wordsOf(known: string): string[] {
  return known
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}

const asMeant = (text: string) => text.replace(/[@431057$]/g, (sign) => LETTERS_MEANT[sign]!);
