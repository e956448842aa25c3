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

type Script = (typeof SCRIPTS)[number];

/** The main font has Devanagari. */
export type ScriptOfOwnFont = Exclude<Script, 'Devanagari'>;

const ANY = /[\u0900-\u0D7F]/;

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
  return SCRIPTS[(character.codePointAt(0)! - 0x900) >> 7];
}

export function hasOwnFont(script: Script): script is ScriptOfOwnFont {
  return script !== 'Devanagari';
}

const OTHER_LETTERS =
  /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Devanagari}\u0980-\u0D7F\p{sc=Common}\p{sc=Inherited}]/u;

/** Arrows, drawings, emoji and unassigned characters, except the minus sign, which the fonts have. */
const PICTURES = /[\u2190-\u2211\u2213-\u2BFF]|\p{Emoji_Presentation}|\p{Cn}/u;

/** Returns false if the fonts would show boxes for some letters. */
export function isPrintable(text: string): boolean {
  return !OTHER_LETTERS.test(text) && !PICTURES.test(text);
}
