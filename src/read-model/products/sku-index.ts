import { isWithinEdits } from './within-edits.js';

const MOST_EDITS = 2;

/** With fewer characters than this for each edit, nearly everything would be near. */
const CHARACTERS_PER_EDIT = 3;

/** How many look-alikes are compared in earnest: what bounds the work that one misspelt SKU can cause. */
const MOST_COMPARED = 1_000;

const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** Finds the SKU that was meant by a misspelt one: another case, hyphens left out or added, up to two wrong characters. */
export class SkuIndex {
  private readonly bySpelling = new Map<string, string>();
  private readonly spellings: string[];
  /** Which characters each spelling holds, as bits: two edits change at most four of them. */
  private readonly characters: Uint32Array;

  constructor(skus: Iterable<string>) {
    for (const sku of skus) this.bySpelling.set(spellingOf(sku), sku);
    this.spellings = [...this.bySpelling.keys()];
    this.characters = Uint32Array.from(this.spellings, charactersOf);
  }

  /** The same but for case and punctuation: costs one look-up. */
  findAlike(sku: string): string | undefined {
    return this.bySpelling.get(spellingOf(sku));
  }

  /** The nearest, one edit or two neighbours swapped before two edits. */
  findNear(sku: string): string | undefined {
    const wanted = spellingOf(sku);
    const edits = Math.min(MOST_EDITS, Math.floor(wanted.length / CHARACTERS_PER_EDIT));
    if (edits === 0) return undefined;
    for (const variant of slips(wanted)) {
      const found = this.bySpelling.get(variant);
      if (found !== undefined) return found;
    }
    return this.search(wanted, edits);
  }

  private search(wanted: string, edits: number): string | undefined {
    let compared = 0;
    for (const spelling of this.lookAlikes(wanted, edits)) {
      if (isWithinEdits(wanted, spelling, edits)) return this.bySpelling.get(spelling);
      if (++compared === MOST_COMPARED) return undefined;
    }
    return undefined;
  }

  /** A quick sieve: what fails it cannot be near, what passes may be. */
  private *lookAlikes(wanted: string, edits: number): Generator<string> {
    const held = charactersOf(wanted);
    for (let index = 0; index < this.spellings.length; index++) {
      if (bitsIn(held ^ this.characters[index]!) > 2 * edits) continue;
      const spelling = this.spellings[index]!;
      if (Math.abs(spelling.length - wanted.length) <= edits) yield spelling;
    }
  }
}

/**
 * Every spelling that one slip makes of this one, to be looked up however many SKUs there are. Slips near the end come first:
 * what begins alike is likelier to be akin.
 */
function* slips(spelling: string): Generator<string> {
  for (let at = spelling.length; at >= 0; at--) {
    const before = spelling.slice(0, at);
    const after = spelling.slice(at + 1);
    yield before + after;
    yield before + after.slice(0, 1) + spelling.charAt(at) + after.slice(1);
    for (const character of CHARACTERS) {
      yield before + character + after;
      yield before + character + spelling.slice(at);
    }
  }
}

function spellingOf(sku: string): string {
  return sku.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function charactersOf(spelling: string): number {
  let bits = 0;
  for (let index = 0; index < spelling.length; index++) bits |= 1 << (spelling.charCodeAt(index) & 31);
  return bits >>> 0;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
