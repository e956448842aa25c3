/** Scripts of India, each with a font of its own. The main font has Devanagari. */
const OWN_FONT = [
  'Bengali',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Oriya',
  'Tamil',
  'Telugu',
] as const;

export type ScriptOfOwnFont = (typeof OWN_FONT)[number];
type Script = ScriptOfOwnFont | 'Devanagari';

const LETTERS_OF = [...OWN_FONT, 'Devanagari' as const].map((script: Script) => ({
  script,
  letters: new RegExp(`\\p{sc=${script}}`, 'u'),
}));

/** A danda, a joiner and other signs that scripts share belong to the letters before them. */
const RUNS = new RegExp(
  `(${LETTERS_OF.map(({ script }) => `\\p{sc=${script}}[\\p{scx=${script}}\\u200C\\u200D]*`).join('|')})`,
  'u',
);

/** A piece of text in one font. Latin, Greek, Cyrillic, digits and signs have no script here. */
interface Run {
  run: string;
  script?: Script | undefined;
}

/** Most words have no such letter: they are measured twice as fast with this question first. */
const ANY = /[\u0900-\u0D7F]/;

export function runsOf(text: string): Run[] {
  if (!ANY.test(text)) return [{ run: text }];
  return text
    .split(RUNS)
    .map((run, at) => ({ run, script: at % 2 === 1 ? scriptOf(run) : undefined }))
    .filter(({ run }) => run !== '');
}

function scriptOf(text: string): Script | undefined {
  return LETTERS_OF.find(({ letters }) => letters.test(text))?.script;
}

export function hasOwnFont(script: Script): script is ScriptOfOwnFont {
  return script !== 'Devanagari';
}

const OTHER_LETTERS = new RegExp(
  `[^${LETTERS_OF.map(({ script }) => `\\p{sc=${script}}`).join('')}` +
    '\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Common}\\p{sc=Inherited}]',
  'u',
);

/** Arrows, drawings and emoji. Of these the fonts have the minus sign. */
const PICTURES = /[\u2190-\u2211\u2213-\u2BFF]|\p{Emoji_Presentation}/u;

/** False if boxes stand for some of its letters. */
export function isPrintable(text: string): boolean {
  return !OTHER_LETTERS.test(text) && !PICTURES.test(text);
}
