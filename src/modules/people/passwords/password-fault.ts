import { type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 200;

/** The minimum length after each guessable part is counted as one character. */
const MIN_REMAINING = 8;

/** Runs of neighbouring keys and letters. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const RUN_LENGTH = 4;

const LETTER_OF_SIGN: Record<string, string> = {
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
 * Returns the fault of a password, to complete "The password …". Common words, keyboard runs, years,
 * repetitions and the person's own data count as one character each; enough characters must remain. This
 * replaces a list of a million passwords.
 */
export function passwordFault(password: string, personalTexts: readonly string[]): string | undefined {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters`;
  if (length > MAX_PASSWORD_LENGTH) return `must have at most ${MAX_PASSWORD_LENGTH} characters`;
  const words = [...personalTexts.flatMap(wordsOf), ...COMMON_WORDS];
  const plain = text.toLowerCase();
  const left = Math.min(...[plain, withLetters(plain)].map((each) => remainingLength(each, words)));
  if (left < MIN_REMAINING)
    return 'is too easy to guess: do not use common passwords, your name or the store’s name';
  return undefined;
}

function remainingLength(text: string, words: string[]): number {
  let left = text;
  for (const word of words) left = left.replaceAll(word, '\0');
  left = left.replace(/(19|20)\d\d/g, '\0');
  for (const run of RUNS) left = left.replaceAll(run, '\0');
  // Repetitions of one or several characters.
  left = left.replace(/(.+?)\1+/gs, '$1');
  return [...left].length;
}

/** All runs, longest first, in both directions. */
const RUNS = ROWS.flatMap((row) => [row, [...row].toReversed().join('')])
  .flatMap((row) =>
    Array.from(row, (_, start) => row.slice(start)).flatMap((tail) =>
      Array.from(tail, (__, end) => tail.slice(0, end + 1)),
    ),
  )
  .filter((run) => run.length >= RUN_LENGTH)
  .toSorted((one, other) => other.length - one.length);

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}

const withLetters = (text: string) => text.replace(/[@431057$]/g, (sign) => LETTER_OF_SIGN[sign]!);

interface PasswordOwner {
  email: string;
  name: string;
  clientName: string;
}

/** Refuses a password that others could guess. */
export function checkNewPassword(password: string, about: PasswordOwner): void {
  const faults = newPasswordFaults(password, about);
  if (faults.length > 0) throw validationFailed(faults);
}

/** The errors of a new password, for forms with other fields. */
export function newPasswordFaults(
  password: string,
  { email, name, clientName }: PasswordOwner,
): FieldError[] {
  const fault = passwordFault(password, [email, name, clientName]);
  return fault === undefined ? [] : [{ field: 'password', code: 'weak_password', message: fault }];
}

/** The words of the most common passwords, without digits. A longer word stands before its own beginning. */
const COMMON_WORDS = `
  administrator administration motdepasse contrasena passwort password passwd iloveyou loveyou letmein
  welcome whatever changeme trustno superman batman spiderman starwars princess sunshine football baseball
  basketball cricket hockey soccer liverpool arsenal chelsea barcelona pokemon minecraft facebook google
  samsung microsoft windows computer internet shadow master dragon monkey michael jennifer jessica charlie
  daniel jordan hunter thomas andrew joshua ashley nicole amanda krishna ganesh hanuman shiva jaishree india
  mumbai delhi bangalore bengaluru chennai qwertyuiop qwertz qwerty azerty asdfghjkl asdfgh zxcvbnm zxcvbn
  qazwsx qweasd spring summer autumn winter january february march april june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday today secret default guest
  login admin user root access hello freedom flower cookie cheese pepper ginger silver golden orange purple
  yellow black white green store shop wholesale order dashboard test demo love pass
`
  .trim()
  .split(/\s+/);
