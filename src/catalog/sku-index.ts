import { isWithinEdits } from './within-edits.js';

const MOST_EDITS = 2;

/** With fewer characters than this for each edit, nearly everything would be near. */
const CHARACTERS_PER_EDIT = 3;

/** How many look-alikes are compared in earnest: what bounds the work that one misspelt SKU can cause. */
const MOST_COMPARED = 4_000;

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

  /** The nearest, the fewer edits the better. */
  findNear(sku: string): string | undefined {
    const wanted = spellingOf(sku);
    const edits = Math.min(MOST_EDITS, Math.floor(wanted.length / CHARACTERS_PER_EDIT));
    let near: string | undefined;
    let compared = 0;
    for (const spelling of this.lookAlikes(wanted, edits)) {
      if (isWithinEdits(wanted, spelling, 1)) return this.bySpelling.get(spelling);
      near ??= isWithinEdits(wanted, spelling, edits) ? spelling : undefined;
      if (++compared === MOST_COMPARED) break;
    }
    return near === undefined ? undefined : this.bySpelling.get(near);
  }

  /** A quick sieve: what fails it cannot be near, what passes may be. */
  private *lookAlikes(wanted: string, edits: number): Generator<string> {
    if (edits === 0) return;
    const held = charactersOf(wanted);
    for (let index = 0; index < this.spellings.length; index++) {
      if (bitsIn(held ^ this.characters[index]!) > 2 * edits) continue;
      const spelling = this.spellings[index]!;
      if (Math.abs(spelling.length - wanted.length) <= edits) yield spelling;
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
