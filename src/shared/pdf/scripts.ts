/** Scripts of India in the order of their blocks of 128 characters, from U+0900 on. */
const SCRIPTS = [
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
] as const;

/** Urdu, Kashmiri and Sindhi have Arabic letters. */
type Script = (typeof SCRIPTS)[number] | 'Arabic';

/** The main font has Devanagari. */
export type ScriptOfOwnFont = Exclude<Script, 'Devanagari'>;

const ARABIC = /[\u0600-\u06FF\u0750-\u077F\u0870-\u08FF\uFB50-\uFDFF\uFE70-\uFEFC]/;

const ANY = /[\u0600-\u06FF\u0750-\u077F\u0870-\u0D7F\uFB50-\uFDFF\uFE70-\uFEFC]/;

/** A danda, a joiner and other signs that scripts share. They belong to the letters before them. */
const SHARED = /[\u0951\u0952\u0964\u0965\u200C\u200D]/;

/** A part of a text in one font. Latin, Greek, Cyrillic, digits and signs have no script here. */
interface Run {
  run: string;
  script?: Script | undefined;
}

export function runsOf(text: string): Run[] {
  // A shortcut: most words have no such letter.
  if (!ANY.test(text)) return [{ run: text }];
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const script = last?.script && SHARED.test(character) ? last.script : scriptOf(character);
    if (last && last.script === script) last.run += character;
    else runs.push({ run: character, script });
  }
  return runs;
}

function scriptOf(character: string): Script | undefined {
  return ARABIC.test(character) ? 'Arabic' : SCRIPTS[(character.codePointAt(0)! - 0x900) >> 7];
}

export function hasOwnFont(script: Script): script is ScriptOfOwnFont {
  return script !== 'Devanagari';
}

const NUMBERS = /(\p{Nd}+(?:[.,:/\u066B\u066C]\p{Nd}+)*)/u;

/** An Arabic word, another word, or any other character. */
const WORDS =
  /[\u0600-\u06FF\u0750-\u077F\u0870-\u08FF\uFB50-\uFEFC\u200C\u200D]+|\p{L}[\p{L}\p{M}\u200C\u200D]*|[^]/gu;

/** Numbers, Arabic words, other words and spaces. All other pieces are signs. */
const KINDS = { N: /^\p{Nd}/u, A: ARABIC, W: /^\p{L}/u, ' ': /^\s/ };

const kindOf = (piece: string) =>
  Object.entries(KINDS).find(([, pattern]) => pattern.test(piece))?.[0] ?? '-';

/** An Arabic word or sign. A number is read from left to right. */
export const isRightToLeft = (piece: string) => kindOf(piece) === 'A';

const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '«': '»', '»': '«' };

/**
 * The line from left to right. Arabic words, and the numbers and signs among them, go from right to left; if
 * the line has no other word, all of it does. Left out of Unicode's algorithm: marks of direction, and
 * quotations in quotations.
 */
export function fromLeft(line: string): string[] {
  if (!ARABIC.test(line)) return [line];
  const parts = line.split(NUMBERS);
  const pieces = parts.flatMap((part, at) => (at % 2 === 1 ? [part] : (part.match(WORDS) ?? [])));
  const kinds = pieces.map(kindOf).join('');
  for (const { index, 0: found } of kinds.matchAll(kinds.includes('W') ? /A(?:[^W]*[AN])?/g : /^.*[^ ]/g)) {
    const reversed = pieces.slice(index, index + found.length).toReversed();
    pieces.splice(index, found.length, ...reversed.map((piece) => MIRRORED[piece] ?? piece));
  }
  return pieces;
}

/** Not Latin, Greek, Cyrillic, Indian, Arabic or shared by scripts. */
const OTHER_LETTERS =
  /[^\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Deva}\u0980-\u0D7F\p{sc=Arab}\p{sc=Zyyy}\p{sc=Zinh}]/u;

/** Arrows, drawings, emoji and unassigned characters, except the minus sign, which the fonts have. */
const PICTURES = /[\u2190-\u2211\u2213-\u2BFF]|\p{Emoji_Presentation}|\p{Cn}/u;

/** Returns false if the fonts lack some letters. */
export function isPrintable(text: string): boolean {
  return !OTHER_LETTERS.test(text) && !PICTURES.test(text);
}
