import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { hasOwnFont, isRightToLeft, runsOf, type ScriptOfOwnFont } from './scripts.js';

interface Glyph {
  id: number;
  advanceWidth: number;
  codePoints: number[];
}

interface Font {
  getGlyph(id: number, codePoints: number[]): Glyph;
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string): { glyphs: Glyph[]; positions: { xAdvance: number }[]; advanceWidth: number };
}

const requireModule = createRequire(import.meta.url);

/** One typeface with Latin, Greek, Cyrillic and Devanagari letters and the sign ₹. Its parts are embedded. */
const FILES = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  bold: '700Bold/NotoSans_700Bold.ttf',
};

export type Weight = keyof typeof FILES;

const WEIGHTS = { regular: 400, bold: 700 };

/** A cache for all files: parsing takes a tenth of a second, and other requests wait in the meantime. */
const parsed = new Map<string, Font>();

function cachedFont(name: string, parse: () => Font): PDFKit.Mixins.PDFFontSource {
  const font = parsed.get(name) ?? parse();
  parsed.set(name, font);
  return font as unknown as PDFKit.Mixins.PDFFontSource;
}

function create(file: Buffer): Font {
  return (requireModule('fontkit') as { create(file: Buffer): Font }).create(file);
}

export function mainFont(weight: Weight): PDFKit.Mixins.PDFFontSource {
  return cachedFont(weight, () =>
    create(readFileSync(requireModule.resolve(`@expo-google-fonts/noto-sans/${FILES[weight]}`))),
  );
}

export function fontOf(script: ScriptOfOwnFont, weight: Weight): PDFKit.Mixins.PDFFontSource {
  const name = script.toLowerCase();
  const file = `@fontsource/noto-sans-${name}/files/noto-sans-${name}-${name}-${WEIGHTS[weight]}-normal.woff`;
  return cachedFont(`${script} ${weight}`, () =>
    shapedByHarfBuzz(unpacked(readFileSync(requireModule.resolve(file)))),
  );
}

/** Stands between a word and the place of one of its letters. No text has it. */
const LETTER_AT = '\0';

/**
 * The letters of an Arabic word from left to right: the text that draws each in its shape, and the text that
 * people search and copy. Programs that read PDFs turn words, so each letter is a text of its own.
 */
export function lettersOf(word: string, weight: Weight): { drawn: string; actual: string }[] {
  let at = word.length;
  const { glyphs } = (fontOf('Arabic', weight) as unknown as Font).layout(word);
  return glyphs.flatMap(({ codePoints }) => {
    if (codePoints.length === 0) return [];
    at -= String.fromCodePoint(...codePoints).length;
    return [{ drawn: word + LETTER_AT + at, actual: String.fromCodePoint(...codePoints.toReversed()) }];
  });
}

/** What no font has. */
const MARK = '[?]';

/** Signs join parts of an emoji. */
const MARKS = /\uFE0F?\[\?\](?:\[\?\]|\u200D|\uFE0F)*/g;

/** Line breaks and characters without a shape need no glyph. */
const INVISIBLE = /[\n\p{Default_Ignorable_Code_Point}]/u;

/** The text with one mark for each part that no font has. */
export function printableOf(text: string): string {
  if (/^[\n -~]*$/.test(text)) return text;
  const printed = runsOf(text).map(({ run, script }) => {
    const font = script && hasOwnFont(script) ? fontOf(script, 'regular') : mainFont('regular');
    const hasGlyph = (character: string) =>
      (font as unknown as Font).hasGlyphForCodePoint(character.codePointAt(0)!);
    return Array.from(run, (character) =>
      INVISIBLE.test(character) || hasGlyph(character) ? character : MARK,
    ).join('');
  });
  return printed.join('').replaceAll(MARKS, MARK);
}

let harfBuzz: typeof import('harfbuzzjs') | undefined;

/** Loads HarfBuzz if these values have letters that it shapes. Drawing is synchronous and cannot wait. */
export async function prepareFor(values: unknown): Promise<void> {
  if (harfBuzz) return;
  // Pictures have no letters.
  const text = JSON.stringify(values, (_, value: unknown) => (ArrayBuffer.isView(value) ? undefined : value));
  if (!runsOf(text ?? '').some(({ script }) => script && hasOwnFont(script))) return;
  harfBuzz = await import('harfbuzzjs');
}

/** fontkit shapes Bengali and Kannada wrongly, and fails where a mark has no anchor (foliojs/fontkit#367). */
function shapedByHarfBuzz(file: Buffer): Font {
  const { Blob, Buffer: Text, Direction, Face, Font: Shaper, shape } = harfBuzz!;
  const font = create(file);
  const shaper = new Shaper(new Face(new Blob(file)));
  const buffer = new Text();
  const layout: Font['layout'] = (text) => {
    const [word, start] = text.split(LETTER_AT) as [string, string?];
    buffer.reset();
    buffer.addText(word);
    buffer.guessSegmentProperties();
    buffer.setDirection(isRightToLeft(word) ? Direction.RTL : Direction.LTR);
    shape(shaper, buffer);
    const placed = buffer.getGlyphPositions();
    const infos = buffer.getGlyphInfos().map((info, at) => ({ ...info, position: placed[at]! }));
    const clusters = infos.map(({ cluster }) => cluster);
    const drawn = infos.filter(({ cluster }) => start === undefined || cluster === Number(start));
    const glyphs = drawn.map(({ codepoint: id, cluster }, at) => {
      // The first glyph of a cluster stands for its characters.
      const end = Math.min(word.length, ...clusters.filter((other) => other > cluster));
      const characters = drawn[at - 1]?.cluster === cluster ? '' : word.slice(cluster, end);
      // The font stores a glyph with the characters of its first use.
      const codePoints = Array.from(characters, (character) => character.codePointAt(0)!);
      return { id, advanceWidth: font.getGlyph(id, []).advanceWidth, codePoints };
    });
    const positions = drawn.map(({ position }) => position);
    return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
  };
  return Object.assign(font, { layout });
}

/** The OpenType font in a WOFF: HarfBuzz reads no WOFF, and fontkit unpacks all glyphs anew for each one. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts = [head];
  let end = head.length;
  for (let at = 0; at < count; at++) {
    const entry = woff.subarray(44 + 20 * at);
    const [offset, size, fullSize] = [4, 8, 12].map((field) => entry.readUInt32BE(field)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + size);
    const table = Buffer.alloc(Math.ceil(fullSize / 4) * 4);
    (size < fullSize ? inflateSync(bytes) : bytes).copy(table);
    const record = head.subarray(12 + 16 * at);
    entry.copy(record, 0, 0, 4);
    entry.copy(record, 4, 16, 20);
    record.writeUInt32BE(end, 8);
    record.writeUInt32BE(fullSize, 12);
    parts.push(table);
    end += table.length;
  }
  return Buffer.concat(parts);
}
